/** Reads the decision records and builds their index. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MADE_BY, table } from './markdown.ts'

/** Folder of the records, from the repository root. */
export const DECISIONS_FOLDER = 'docs/decisions'

/** Pages of `docs/reference` that former records became, by their number. */
const MOVED: Readonly<Record<number, string>> = {
  114: 'identity-tokens.md',
  186: 'specification-choices.md',
  188: 'validation-rules.md',
}

/** A decision record, `NNNN-name.md`. */
export interface DecisionRecord {
  number: number
  file: string
  title: string
  /** ISO date. */
  date: string
  status: string
  /** Numbers of former records that this one replaces. */
  takesOver: readonly number[]
}

const RECORD_FILE = /^(\d{4})-[a-z0-9-]+\.md$/
const HEADING = /^# (\d+)\. (.+)$/m
const STATE = /^Date: (\d{4}-\d{2}-\d{2})\. Status: ([^.]+)\.(?: Takes over: ([\d, ]+)\.)?/m

/**
 * Reads the heading and the line `Date: … Status: … Takes over: …` of a record.
 *
 * @throws Error when one of them is missing, or when the number is not that of the file
 */
export function readDecision(file: string, text: string): DecisionRecord {
  const number = Number(RECORD_FILE.exec(file)?.[1])
  const [, ownNumber, title] = HEADING.exec(text) ?? []
  if (!title || Number(ownNumber) !== number) throw new Error(`${file}: needs "# ${number}. Title"`)
  const [, date, status, takesOver = ''] = STATE.exec(text) ?? []
  if (!date || !status)
    throw new Error(`${file}: needs a line "Date: 2026-11-23. Status: accepted."`)
  const numbers = [...takesOver.matchAll(/\d+/g)].map(([former]) => Number(former))
  return { number, file, title, date, status, takesOver: numbers }
}

/** Reads all records. @param root folder of the repository @returns records by ascending number */
export function readDecisions(root: string): DecisionRecord[] {
  const folder = join(root, DECISIONS_FOLDER)
  return readdirSync(folder)
    .filter((file) => RECORD_FILE.test(file))
    .sort()
    .map((file) => readDecision(file, readFileSync(join(folder, file), 'utf8')))
}

/** Builds the index of the records. */
export function decisionsPage(records: readonly DecisionRecord[]): string {
  const rows = records.map(({ number, file, title, date, status, takesOver }) => [
    String(number),
    `[${title}](${file})`,
    date,
    status,
    takesOver.join(', ') || '–',
  ])
  return [
    MADE_BY,
    '# Decision records',
    '',
    'A record explains a choice that a newcomer would question: context, decision, alternatives',
    'and consequences. `npm run generate` builds this list from them. A record can take over',
    'former records; their numbers are not used again, and some numbers were never used. Records',
    'are cited as "decision 171".',
    '',
    ...table(['number', 'decision', 'date', 'status', 'takes over'], rows),
    '',
    'These former records are pages of the reference now:',
    '',
    ...Object.entries(MOVED).map(
      ([number, page]) => `- ${number}: [${page}](../reference/${page})`,
    ),
    '',
  ].join('\n')
}
