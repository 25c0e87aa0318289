/** Prints the results of `sigcase`: aligned columns for people, JSON for programs. */
import { singleLine } from '../../domain/mail/safe-text.ts'
import { UsageError } from '../usage.ts'

export const OUTPUT_FORMATS = ['table', 'json'] as const
export type OutputFormat = (typeof OUTPUT_FORMATS)[number]

/** The option of the programs beside `sigcase`, for `util.parseArgs`. */
export const OUTPUT_OPTION = { output: { type: 'string', short: 'o', default: 'table' } } as const

/**
 * Whether the result of a program is JSON.
 *
 * @throws UsageError for an unknown format
 */
export function wantsJson({ output }: { output: string }): boolean {
  if (!OUTPUT_FORMATS.some((one) => one === output)) {
    throw new UsageError(`--output is one of ${OUTPUT_FORMATS.join(', ')}`)
  }
  return output === 'json'
}

/** A column: its heading and its cell for a row. */
export interface Column<T> {
  heading: string
  read: (row: T) => string | number | undefined
}

const GAP = '  '

/**
 * Lays out rows in columns as wide as their longest cell. Names and titles come from tenants: each
 * cell is one line without control characters, so that no cell can send commands to a terminal.
 */
export function formatTable<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const cells = rows.map((row) => columns.map(({ read }) => singleLine(String(read(row) ?? ''))))
  const lines = [columns.map(({ heading }) => heading), ...cells]
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((line) => [...(line[index] as string)].length)),
  )
  const pad = (cell: string, index: number) =>
    cell + ' '.repeat((widths[index] as number) - [...cell].length)
  return lines.map((line) => line.map(pad).join(GAP).trimEnd()).join('\n')
}

/** Prints rows in the chosen format. */
export function printRows<T>(
  format: OutputFormat,
  columns: readonly Column<T>[],
  rows: readonly T[],
): void {
  console.log(format === 'json' ? JSON.stringify(rows, null, 2) : formatTable(columns, rows))
}

/** Prints one object: all of it as JSON, or one line for each column. */
export function printObject<T>(
  format: OutputFormat,
  columns: readonly Column<T>[],
  object: T,
): void {
  if (format === 'json') return console.log(JSON.stringify(object, null, 2))
  const lines = columns.flatMap(({ heading, read }) => {
    const value = read(object)
    return value === undefined ? [] : [{ heading: `${heading}:`, value }]
  })
  const width = Math.max(...lines.map(({ heading }) => heading.length))
  for (const { heading, value } of lines) {
    console.log(`${heading.padEnd(width)}${GAP}${singleLine(String(value))}`)
  }
}
