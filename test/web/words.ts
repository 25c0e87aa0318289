/** Finds words of a page that are broken between two letters. */
import type { Page } from 'playwright-core'

/**
 * Returns the words on the page that begin on one line and end on another. A break after a hyphen
 * is none. Tokens that are not words, such as addresses, digests and names of code, may break
 * anywhere.
 */
export const brokenWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isShown = (element: Element | null) =>
      element !== null &&
      element.closest('.textLayer, .hidden-visually, script, style') === null &&
      element.checkVisibility({ visibilityProperty: true })
    /** How many lines the part of a text is on. */
    const linesOf = (node: Node, start: number, length: number) => {
      const range = document.createRange()
      range.setStart(node, start)
      range.setEnd(node, start + length)
      const middles = [...range.getClientRects()]
        .filter(({ width }) => width > 0)
        .map(({ top, bottom }) => Math.round((top + bottom) / 2))
      return new Set(middles).size
    }
    const broken: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { currentNode } = texts
      if (!isShown(currentNode.parentElement)) continue
      for (const { 0: token, index } of (currentNode.nodeValue ?? '').matchAll(/\S+/g)) {
        const isWord = /^[^\p{L}\p{N}]*\p{L}+(?:[-\u2010\u2011]\p{L}+)*[^\p{L}\p{N}]*$/u.test(token)
        if (!isWord || /\p{Ll}\p{Lu}/u.test(token)) continue
        for (const { 0: word, index: at } of token.matchAll(/\p{L}{2,}/gu)) {
          if (linesOf(currentNode, index + at, word.length) > 1) broken.push(token)
        }
      }
    }
    return broken
  })

/** Returns the texts of buttons that leave the button or the screen. */
export const wordsOutside = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const all = document.querySelectorAll<HTMLElement>('.button, [role=tab]')
    const shown = [...all].filter((one) => one.checkVisibility({ visibilityProperty: true }))
    return shown.flatMap((one) => {
      const range = document.createRange()
      range.selectNodeContents(one)
      const box = one.getBoundingClientRect()
      const right = Math.min(box.right, document.documentElement.clientWidth)
      // Half a pixel of a letter is none.
      const isOutside = [...range.getClientRects()].some(
        (rect) => rect.width > 0 && (rect.left < box.left - 1 || rect.right > right + 1),
      )
      return isOutside ? [one.textContent?.trim() ?? ''] : []
    })
  })
