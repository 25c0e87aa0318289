/** Makes the pages of the documentation site from the Markdown files of the repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiPages } from './api-pages.ts'
import { replaceLinks, type Pages } from './markdown-links.ts'
import { MENU, MENU_TEXTS, type MenuGroup, sitePath, TOP_LINKS } from './menu.ts'
import { plainText } from './slug.ts'

/** Generated pages and the menu, by path from the folder of the site's pages. */
export type SiteFiles = ReadonlyMap<string, string>

const HEADING = /^# +(?:\d+\. )?(.+)$/m
const COMMENT = /<!--[^]*?-->\n*/g
/** Folders whose first page says what their pages are. */
const FOLDER_INTRODUCTIONS: Readonly<Record<string, string>> = {
  'docs/runbooks/':
    '# Runbooks\n\nWhat to do when an alert fires. Each alert of the chart links to its runbook. ' +
    '[Monitor the service](../how-to/monitor.md) says how to turn the alerts on.\n',
  'docs/reference/': '# Reference\n\nTables and formats. Most pages are generated from the code.\n',
}

/** Reads the first heading, without Markdown and the number of a decision record. */
export function titleOf(text: string): string {
  return plainText(HEADING.exec(text)?.[1] ?? '')
}

function folderPages(root: string, folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .sort()
    .map((file) => folder + file)
}

/** Adds the page of a folder that lists its pages. */
function introduce(folder: string, introduction: string, pages: Map<string, string>): void {
  const items = [...pages]
    .filter(([path]) => path.startsWith(folder))
    .map(([path, text]) => `- [${titleOf(text)}](${path.slice(folder.length)})`)
  pages.set(`${folder}README.md`, `${introduction}\n${items.join('\n')}\n`)
}

/** Reads every page of the menu. @returns Markdown by path from the repository root */
function readPages(root: string): Map<string, string> {
  const pages = new Map<string, string>()
  const read = (path: string) => pages.set(path, readFileSync(join(root, path), 'utf8'))
  for (const path of MENU.flatMap((group) => group.pages)) {
    if (!path.endsWith('/')) read(path)
    else if (path === 'docs/api/') for (const [page, text] of apiPages(root)) pages.set(page, text)
    else {
      folderPages(root, path).forEach(read)
      const introduction = FOLDER_INTRODUCTIONS[path]
      if (introduction !== undefined) introduce(path, introduction, pages)
      else read(`${path}README.md`)
    }
  }
  return pages
}

/** Links to pages become links of the site; links to other files become code. */
function rewrite(root: string, pages: Pages, path: string, text: string): string {
  const rewritten = replaceLinks(path, text.replace(COMMENT, ''), (link, markdown) => {
    if (link.path === undefined) return markdown
    const readme = `${link.path.replace(/\/$/, '')}/README.md`
    const target = pages.has(link.path) ? link.path : readme
    const anchor = link.anchor === undefined ? '' : `#${link.anchor}`
    if (pages.has(target)) {
      return markdown.replace(`(${link.href})`, `(/${sitePath(target)}.md${anchor})`)
    }
    if (markdown.startsWith('!') && existsSync(join(root, link.path))) {
      return markdown.replace(link.href, `/${link.path.replace(/^docs\//, '')}`)
    }
    return markdown.replace(/^\[(.*)\]\([^)]*\)$/s, '$1')
  })
  // VitePress would evaluate what is between two braces.
  const inert = rewritten.replaceAll('{{', '{\u200b{')
  return `---\ntitle: ${JSON.stringify(titleOf(text))}\n---\n\n${inert}`
}

/** Menu entries of a group, in its order; the pages of a folder after its first page. */
function menuItems(group: MenuGroup, pages: Pages): { text: string; link: string }[] {
  const paths = group.pages.flatMap((path) =>
    path.endsWith('/')
      ? [`${path}README.md`, ...[...pages.keys()].filter((page) => page.startsWith(path))]
      : [path],
  )
  return [...new Set(paths)].map((path) => ({
    text: MENU_TEXTS[path] ?? titleOf(pages.get(path) ?? ''),
    link: `/${sitePath(path)}`,
  }))
}

function buildMenu(pages: Pages): string {
  const sidebar = MENU.map((group) => ({
    text: group.text,
    ...(group.collapsed === undefined ? {} : { collapsed: group.collapsed }),
    items: menuItems(group, pages),
  }))
  return `${JSON.stringify({ nav: TOP_LINKS, sidebar }, null, 2)}\n`
}

const FEATURES = [
  [
    'Integrate',
    'Clients for TypeScript and Python, webhooks, kiosks, frames.',
    'how-to/use-a-client',
  ],
  [
    'Operate',
    'A Helm chart for Kubernetes, metrics, alerts and runbooks.',
    'how-to/install-on-a-cluster',
  ],
  ['Verify', 'Signatures and the audit trail can be verified offline.', 'how-to/verify-a-pdf'],
  ['Understand', 'Architecture, threat model, decisions and specification.', 'architecture'],
] as const

/** The first page of the site; YAML contains JSON. */
function homePage(): string {
  const settings = {
    layout: 'home',
    hero: {
      name: 'sigcase',
      text: 'Electronic signatures on PDF',
      tagline: 'A PDF and people in, a PAdES-signed PDF and its evidence out.',
      image: { src: '/pictures/sign-pad-light.webp', alt: 'Drawing a signature on a phone' },
      actions: [
        { theme: 'brand', text: 'Quick start', link: '/introduction#quick-start' },
        { theme: 'alt', text: 'API', link: '/api/' },
      ],
    },
    features: FEATURES.map(([title, details, page]) => ({ title, details, link: `/${page}` })),
  }
  return `---\n${JSON.stringify(settings, null, 2)}\n---\n`
}

/** Makes the pages of the site. @param root folder of the repository */
export function siteFiles(root: string): SiteFiles {
  const pages = readPages(root)
  const files = new Map([
    ['index.md', homePage()],
    ['menu.json', buildMenu(pages)],
  ])
  for (const [path, text] of pages) {
    files.set(`${sitePath(path)}.md`, rewrite(root, pages, path, text))
  }
  return files
}
