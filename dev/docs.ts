/** `npm run docs`: builds the documentation site. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { siteFiles } from './docs/pages.ts'
import { runTool } from '../cli/usage.ts'

const USAGE = `usage: npm run docs [-- --serve]

Builds the documentation site in docs/site/dist. The first run installs VitePress in docs/site.
The site needs a web server, and nothing from other hosts.

  --serve   then show it at http://127.0.0.1:4173`

const ROOT = join(import.meta.dirname, '..')
const SITE = join(ROOT, 'docs/site')
const PAGES = join(SITE, '.data/pages')
const VITEPRESS = join(SITE, 'node_modules/vitepress/bin/vitepress.js')

function run(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd: SITE, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`)
}

/** Installs VitePress when its version is not the one of the lock file. */
function install(): void {
  const version = (file: string): string | undefined =>
    existsSync(file)
      ? (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }).version
      : undefined
  const { dependencies } = JSON.parse(readFileSync(join(SITE, 'package.json'), 'utf8')) as {
    dependencies: { vitepress: string }
  }
  if (version(join(SITE, 'node_modules/vitepress/package.json')) === dependencies.vitepress) return
  console.log('installing VitePress in docs/site')
  run('npm', ['ci', '--no-audit', '--no-fund'])
}

/** Writes the pages, pictures and diagrams that VitePress reads. */
function writePages(): void {
  rmSync(PAGES, { recursive: true, force: true })
  for (const [path, text] of siteFiles(ROOT)) {
    const file = join(PAGES, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const assets = join(PAGES, 'public')
  for (const folder of ['pictures', 'diagrams']) {
    cpSync(join(ROOT, 'docs', folder), join(assets, folder), { recursive: true })
  }
  cpSync(join(ROOT, 'web/design/icon.svg'), join(assets, 'icon.svg'))
  cpSync(join(ROOT, 'api/openapi.json'), join(assets, 'openapi.json'))
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { serve: { type: 'boolean', default: false } } })
  install()
  writePages()
  run(process.execPath, [VITEPRESS, 'build'])
  console.log('the site is in docs/site/dist')
  if (values.serve) run(process.execPath, [VITEPRESS, 'preview', '--host', '127.0.0.1'])
  return 0
}

await runTool(main, USAGE)
