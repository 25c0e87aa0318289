/** Shared parts of the generated documentation pages. */

export const MADE_BY = '<!-- Made by `npm run generate`; do not edit. -->'

/** Builds the lines of a table. @param rows cells in Markdown; `|` is not escaped */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)]
}
