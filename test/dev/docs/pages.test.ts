import t from 'tap'
import { readAnchors, readLinks } from '../../../dev/docs/markdown-links.ts'
import { MENU, sitePath } from '../../../dev/docs/menu.ts'
import { siteFiles, titleOf } from '../../../dev/docs/pages.ts'
import { files, ROOT } from '../../fixtures/source-tree.ts'

const site = siteFiles(ROOT)

t.test('a decision record loses its number, and code its marks', async (t) => {
  t.equal(titleOf('# 12. The `x` of *y*\n'), 'The x of y')
  t.equal(sitePath('docs/runbooks/README.md'), 'runbooks/index')
  t.equal(sitePath('CONTRIBUTING.md'), 'project/contributing')
})

t.test('every page of docs/ is in the menu', async (t) => {
  const inMenu = (path: string) =>
    MENU.some(({ pages }) =>
      pages.some((page) => page === path || (page.endsWith('/') && path.startsWith(page))),
    )
  const pages = files
    .map(({ path }) => path)
    .filter((path) => /^docs\/(?!site\/).*\.md$/.test(path))
  t.strictSame(
    pages.filter((path) => !inMenu(path)),
    [],
  )
})

t.test('links of the site lead to its pages and anchors', async (t) => {
  const dead = [...site].flatMap(([path, text]) =>
    readLinks(path, text)
      .filter(({ href }) => href.startsWith('/') && href.includes('.md'))
      .filter(({ href }) => {
        const [page = '', anchor] = href.slice(1).split('#')
        const target = site.get(page)
        const isThere = anchor === undefined || readAnchors(target ?? '').has(anchor)
        return target === undefined || !isThere
      })
      .map(({ href }) => `${path}: ${href}`),
  )
  t.strictSame(dead, [])
})

t.test('the API has a page for each group and every operation', async (t) => {
  t.match(site.get('api/sign.md'), 'POST /participant/{participantId}/signature')
  t.match(site.get('api/webhooks.md'), '## A participant signed')
  t.match(site.get('api/schemas.md'), '## SignatureField')
  t.notOk(site.get('api/sign.md')?.includes('undefined'))
})

t.test('pages hold no comment for authors', async (t) => {
  t.notOk([...site.values()].some((text) => text.includes('Made by `npm run generate`')))
})
