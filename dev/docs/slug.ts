/** Computes the anchors of headings, as forges do; the site and the test of links use it. */

/** Letters, digits and marks of any script, `_` and `-`; forges remove everything else. */
const REMOVED = /[^\p{L}\p{M}\p{N}\p{Pc} -]/gu

/** Returns the anchor of a heading. @param heading text without Markdown */
export function slugOf(heading: string): string {
  return heading.trim().toLowerCase().replace(REMOVED, '').replaceAll(' ', '-')
}

/** Removes the Markdown of a heading: code, emphasis, links. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .trim()
}
