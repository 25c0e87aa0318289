import { pino } from 'pino'
import t from 'tap'
import { freePorts } from '../../../adapters/shared/free-ports.ts'
import { openTracing } from '../../../runtime/tracing/open-tracing.ts'
import { until } from '../../fixtures/until.ts'

t.test('without a collector nothing is opened', async (t) => {
  t.equal(await openTracing(undefined, 'worker'), undefined)
})

t.test('log lines of traced work have its trace; a lost batch is one line', async (t) => {
  const [port] = await freePorts(1)
  const config = { endpoint: `http://127.0.0.1:${port}`, share: 1 }
  const tracing = await openTracing(config, 'worker')
  if (!tracing) throw new Error('nothing was opened')
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>)
  const log = pino({ mixin: tracing.mixin }, { write })
  tracing.reportTo(log)
  log.info('before')
  const traceId = await tracing.tracer.span('work', {}, async (span) => {
    log.child({ component: 'worker' }).info('within')
    return span.traceId
  })
  t.notOk('traceId' in Object(lines[0]))
  t.match(lines[1], { msg: 'within', traceId })
  const lost = () => lines.filter(({ msg }) => msg === 'traces could not be exported')
  await Promise.all([tracing.close(), until(() => lost().length > 0)])
  t.equal(lost().length, 1)
  t.equal(lost()[0]?.['level'], 40)
})
