/** What the generated pages of the documentation share. */

export const MADE_BY = '<!-- Made by `npm run generate`; do not edit. -->'

/** Lines of a table. @param rows cells as they are to stand there: `|` is not escaped */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)]
}
