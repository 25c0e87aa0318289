/** Commands in the pages name scripts and files that exist. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { files, ROOT } from '../fixtures/source-tree.ts'

const pages = files.filter(({ path }) => path.endsWith('.md') && path !== 'CHANGELOG.md')
const { scripts } = JSON.parse(files.find(({ path }) => path === 'package.json')?.text ?? '') as {
  scripts: Record<string, string>
}

/** Matches of a pattern that `exists` does not accept, as `page: match`. */
function missing(pattern: RegExp, exists: (name: string, page: string) => boolean): string[] {
  const found = pages.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([, name = '']) => ({ path, name })),
  )
  if (found.length === 0) throw new Error(`no page matches ${pattern.source}`)
  return found
    .filter(({ name, path }) => !exists(name, path))
    .map(({ name, path }) => `${path}: ${name}`)
}

t.test('every npm script exists', async (t) => {
  const exists = (name: string) => scripts[name] !== undefined
  t.strictSame(missing(/\bnpm run (?:--silent |-s )?([a-z][\w:-]*)/g, exists), [])
})

t.test('every program that node or python3 starts exists', async (t) => {
  const exists = (name: string, page: string) =>
    existsSync(join(ROOT, name)) ||
    (!name.includes('/') && existsSync(join(ROOT, page, '..', name)))
  t.strictSame(missing(/\b(?:node|python3|deno run) ([\w/.-]+\.(?:ts|mjs|py))\b/g, exists), [])
})

t.test('every chart that helm installs exists', async (t) => {
  const exists = (name: string) => existsSync(join(ROOT, name, 'Chart.yaml'))
  t.strictSame(missing(/helm (?:install|upgrade) sigcase ([\w/]+)/g, exists), [])
})

t.test('kubectl reads Secrets of the service in its namespace', async (t) => {
  const isNamed = (command: string) => /-n |--all-namespaces|-A\b/.test(command)
  t.strictSame(missing(/(kubectl [^`\n]*\bsecrets? sigcase-[^`\n]*)/g, isNamed), [])
})
