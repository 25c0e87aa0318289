import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import {
  findDeadLinks,
  readAnchors,
  readLinks,
  replaceLinks,
} from '../../../dev/docs/markdown-links.ts'
import { files, ROOT } from '../../fixtures/source-tree.ts'

t.test('anchors are those of forges', async (t) => {
  const text = '# One `POST /x`\n## What is *not* protected?\n## Úvod, 2.1\n## Úvod, 2.1\n'
  t.strictSame(
    [...readAnchors(text)],
    ['one-post-x', 'what-is-not-protected', 'úvod-21', 'úvod-21-1'],
  )
})

t.test('headings and links in code do not count', async (t) => {
  const text = '```\n# no\n[a](b)\n```\n`[c](d)` [e](f#g)\n'
  t.strictSame([...readAnchors(text)], [])
  t.strictSame(readLinks('docs/x.md', text), [{ href: 'f#g', path: 'docs/f', anchor: 'g' }])
})

t.test('links to missing files and anchors are found', async (t) => {
  const pages = new Map([
    ['a.md', '# A\n[b](docs/b.md#there) [self](#a) [gone](docs/c.md) [web](https://example.com)'],
    ['docs/b.md', '## Here\n[a](../a.md) [folder](../charts/)'],
  ])
  const dead = findDeadLinks(pages, (path) => path === 'charts/')
  t.strictSame(dead, ['a.md: docs/b.md#there', 'a.md: docs/c.md'])
})

t.test('links are replaced outside code', async (t) => {
  const text = '[`x`](y.md) `[x](y.md)`\n```\n[x](y.md)\n```\n![p](p.svg)'
  const replaced = replaceLinks('docs/a.md', text, ({ path }) => `<${path}>`)
  t.equal(replaced, '<docs/y.md> `[x](y.md)`\n```\n[x](y.md)\n```\n<docs/p.svg>')
})

t.test('every link and anchor of the documentation leads somewhere', async (t) => {
  const pages = new Map(
    files.filter(({ path }) => path.endsWith('.md')).map(({ path, text }) => [path, text]),
  )
  t.ok(pages.size > 80)
  t.strictSame(
    findDeadLinks(pages, (path) => existsSync(join(ROOT, path))),
    [],
  )
})
