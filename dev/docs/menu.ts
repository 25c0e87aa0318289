/** The menu of the documentation site: which Markdown files it shows, and where. */

/** A group of the menu. */
export interface MenuGroup {
  text: string
  /** Paths from the repository root; a path that ends in `/` is every page of that folder. */
  pages: readonly string[]
  collapsed?: boolean
}

export const MENU: readonly MenuGroup[] = [
  { text: 'Start', pages: ['README.md', 'docs/glossary.md'] },
  {
    text: 'Integrate',
    pages: [
      'docs/how-to/use-the-console-page.md',
      'docs/how-to/use-a-client.md',
      'docs/how-to/use-the-command-line.md',
      'docs/how-to/receive-webhooks.md',
      'docs/how-to/connect-a-kiosk.md',
      'docs/how-to/embed-the-signing-page.md',
      'docs/how-to/embed-the-field-editor.md',
      'docs/how-to/brand-the-pages.md',
      'docs/how-to/read-by-graphql.md',
      'docs/how-to/verify-a-pdf.md',
      'clients/typescript/README.md',
      'clients/python/README.md',
      'clients/collection/README.md',
      'examples/quickstart/README.md',
      'examples/python/README.md',
      'examples/python-batch/README.md',
      'examples/nextjs/README.md',
    ],
  },
  { text: 'API', pages: ['docs/api/'] },
  {
    text: 'Operate',
    pages: [
      'docs/how-to/install-on-a-cluster.md',
      'docs/how-to/install-on-gke.md',
      'docs/how-to/install-on-any-kubernetes.md',
      'docs/how-to/put-a-proxy-in-front.md',
      'docs/how-to/sign-with-vault.md',
      'docs/how-to/sign-with-pkcs11.md',
      'docs/how-to/set-up-google-cloud.md',
      'docs/how-to/index-cases.md',
      'docs/how-to/share-cases-among-controllers.md',
      'docs/how-to/use-kubectl.md',
      'docs/how-to/monitor.md',
      'docs/capacity.md',
      'docs/how-to/test-the-load.md',
      'docs/how-to/rotate-keys.md',
      'docs/how-to/back-up-and-restore.md',
      'docs/how-to/erase-a-case.md',
      'docs/how-to/archive-cases.md',
      'docs/how-to/trusted-lists.md',
      'docs/how-to/run-on-pods.md',
    ],
  },
  { text: 'Runbooks', pages: ['docs/runbooks/'], collapsed: true },
  { text: 'Reference', pages: ['docs/reference/'], collapsed: true },
  {
    text: 'How it works',
    pages: [
      'docs/architecture.md',
      'docs/specification.md',
      'docs/design.md',
      'docs/threat-model.md',
    ],
  },
  { text: 'Decisions', pages: ['docs/decisions/'], collapsed: true },
  {
    text: 'Contribute',
    pages: [
      'CONTRIBUTING.md',
      'docs/how-to/add-an-endpoint.md',
      'docs/how-to/add-a-case-event.md',
      'docs/how-to/add-a-job.md',
      'docs/how-to/add-an-adapter.md',
      'docs/how-to/change-a-page.md',
      'SECURITY.md',
      'CHANGELOG.md',
    ],
  },
]

/** Texts of pages whose heading says too little in a menu. */
export const MENU_TEXTS: Readonly<Record<string, string>> = {
  'README.md': 'Introduction',
  'clients/typescript/README.md': 'TypeScript client',
  'clients/python/README.md': 'Python client',
  'examples/quickstart/README.md': 'Example: one script',
  'examples/python/README.md': 'Example: Python',
  'examples/python-batch/README.md': 'Example: batch in Python',
  'examples/nextjs/README.md': 'Example: Next.js',
  'docs/decisions/README.md': 'All decisions',
  'docs/runbooks/README.md': 'All runbooks',
  'docs/reference/README.md': 'All references',
}

/** Links at the top of the site. */
export const TOP_LINKS = [
  { text: 'Quick start', link: '/introduction#quick-start' },
  { text: 'API', link: '/api/' },
  { text: 'Operate', link: '/how-to/install-on-a-cluster' },
  { text: 'Architecture', link: '/architecture' },
] as const

/**
 * Returns the path of a page on the site, without `.md`.
 *
 * @param path from the repository root
 */
export function sitePath(path: string): string {
  if (path === 'README.md') return 'introduction'
  const name = path.replace(/^docs\//, '').replace(/\.md$/, '')
  if (!path.startsWith('docs/') && !name.includes('/')) return `project/${name.toLowerCase()}`
  return name.replace(/\/README$/, '/index')
}
