/** Finds the pictures that the documentation shows; only these are part of the repository. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files whose text can show a picture, from the folder of the repository. */
const PAGES = ['README.md', 'docs/*.md', 'docs/{how-to,reference}/*.md', 'dev/docs/pages.ts']
const SHOWN = /pictures\/([\w-]+\.webp)/g

/**
 * Returns the names of the files that the documentation shows.
 *
 * @param root folder of the repository
 */
export function shownPictures(root: string): Set<string> {
  const texts = globSync(PAGES, { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'))
  return new Set(texts.flatMap((text) => [...text.matchAll(SHOWN)].map(([, name = '']) => name)))
}
