/** Reads headings and links of Markdown, and finds links that lead nowhere. */
import { posix } from 'node:path'
import { plainText, slugOf } from './slug.ts'

/** A page, by its path from the repository root. */
export type Pages = ReadonlyMap<string, string>

/** A link of a page. */
export interface MarkdownLink {
  /** Path from the repository root; undefined for another host. */
  path?: string
  /** Anchor without `#`. */
  anchor?: string
  /** As written. */
  href: string
}

const FENCE = /^ {0,3}(```|~~~)[^]*?^ {0,3}\1[^\n]*$/gm
const INLINE_CODE = /(`+)[^`]*?\1/g
const LINK = /!?\[(?:[^\]]|\[[^\]]*\])*\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g
const FOREIGN = /^[a-z][a-z+.-]*:/i

const blank = (code: string) => code.replace(/[^\n]/g, ' ')

/** Replaces code by as many spaces, so that positions stay the same. */
const withoutFences = (text: string) => text.replace(FENCE, blank)
const withoutCode = (text: string) => withoutFences(text).replace(INLINE_CODE, blank)

/** Lists the anchors of a page; a repeated heading gets `-1`, `-2`. */
export function readAnchors(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of withoutFences(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const slug = slugOf(plainText(heading))
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

/** Resolves a link. @param from path of the page from the repository root */
function resolveLink(from: string, href: string): MarkdownLink {
  if (FOREIGN.test(href) || href.startsWith('//')) return { href }
  const [target = '', anchor] = href.split('#')
  const path = target === '' ? from : posix.normalize(posix.join(posix.dirname(from), target))
  return { href, path, ...(anchor === undefined ? {} : { anchor: decodeURIComponent(anchor) }) }
}

/** Lists the links of a page outside code. */
export function readLinks(from: string, text: string): MarkdownLink[] {
  return [...withoutCode(text).matchAll(LINK)].map(([, href = '']) => resolveLink(from, href))
}

/**
 * Lists the links that lead nowhere, as `page: link`.
 *
 * @param exists whether a path from the repository root is a file or a folder
 */
export function findDeadLinks(pages: Pages, exists: (path: string) => boolean): string[] {
  return [...pages].flatMap(([from, text]) =>
    readLinks(from, text)
      .filter(({ path, anchor }) => {
        if (path === undefined) return false
        const target = pages.get(path)
        if (target === undefined) return anchor !== undefined || !exists(path)
        return anchor !== undefined && !readAnchors(target).has(anchor)
      })
      .map(({ href }) => `${from}: ${href}`),
  )
}

/**
 * Replaces links outside code.
 *
 * @param replace gets the link and its Markdown, returns the new Markdown
 */
export function replaceLinks(
  from: string,
  text: string,
  replace: (link: MarkdownLink, markdown: string) => string,
): string {
  let result = ''
  let end = 0
  for (const { index, 0: found, 1: href = '' } of withoutCode(text).matchAll(LINK)) {
    const markdown = text.slice(index, index + found.length)
    result += text.slice(end, index) + replace(resolveLink(from, href), markdown)
    end = index + found.length
  }
  return result + text.slice(end)
}
