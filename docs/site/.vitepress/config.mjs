// Settings of the documentation site. `npm run docs` writes the pages and the menu.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { slugOf } from '../../../dev/docs/slug.ts'

const { sidebar, nav } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../.data/pages/menu.json'), 'utf8'),
)

export default {
  title: 'sigcase',
  description:
    'Electronic-signature cases: a PDF and people in, a PAdES-signed PDF and evidence out',
  srcDir: '.data/pages',
  outDir: 'dist',
  cacheDir: '.data/cache',
  cleanUrls: false,
  head: [['link', { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' }]],
  markdown: {
    // The pages are Markdown for people, not templates: `<title>` is text.
    html: false,
    anchor: { slugify: slugOf },
  },
  themeConfig: {
    logo: '/icon.svg',
    nav,
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    docFooter: { prev: false, next: false },
  },
}
