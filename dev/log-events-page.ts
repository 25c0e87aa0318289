/** Builds the reference page of the lines in the logs. */
import { LOG_EVENTS } from '../domain/log-events.ts'
import { MADE_BY, table } from './markdown.ts'

/** Lists every line that a process writes, by topic. */
export function logEventsPage(): string {
  const topics = Object.entries(LOG_EVENTS).flatMap(([topic, events]) => {
    const rows = Object.entries(events).map(([message, one]) => [
      `\`${message}\``,
      one.level,
      one.sources.join(', '),
      one.meaning,
      one.members?.map((name) => (name.includes(' ') ? name : `\`${name}\``)).join(', ') ?? '–',
      one.remedy ?? '–',
    ])
    const heads = ['`msg`', 'level', 'process', 'meaning', 'members', 'what to do']
    return [`## ${topic}`, '', ...table(heads, rows), '']
  })
  return [
    MADE_BY,
    '# Log events',
    '',
    'Generated from `domain/log-events.ts`; a test compares that table with the code. Processes',
    'write one JSON object on each line. [Monitor the service](../how-to/monitor.md#logs)',
    'describes the members that many lines have: `level`, `time`, `component`, `requestId`,',
    '`tenant`, `caseId`, `traceId` and `err`.',
    '',
    'Lines of a recurring fault come once a minute at most, with `failuresSinceLastLine`. When the',
    'fault is over, a line follows whose `msg` is `recovered: ` and the `msg` of the fault, with',
    '`failures` and `forMs`. The HTTP server writes `Server listening at` with its address.',
    '',
    ...topics,
  ].join('\n')
}
