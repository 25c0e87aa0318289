/** `npm run screenshots`: makes the pictures of the documentation from a service of its own. */
import { Buffer } from 'node:buffer'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { chromium, type Browser } from 'playwright-core'
import { request } from '../cli/demo/client.ts'
import { runDemo } from '../cli/demo/flow.ts'
import { startOwnService } from '../cli/demo/own-service.ts'
import { tenantToken } from '../cli/tenant-token.ts'
import { runTool } from '../cli/usage.ts'
import { buildWeb } from './build-web.ts'
import { makeContract } from './screenshots/contract.ts'
import { openExample } from './screenshots/example-case.ts'
import { PICTURES } from './screenshots/pictures.ts'
import type { Picture, Scene } from './screenshots/scene.ts'
import { shownPictures } from './screenshots/shown-pictures.ts'

const USAGE = `usage: npm run screenshots [-- part of a name …]

Makes pictures in both themes: those that the documentation shows in docs/pictures, the others in
docs/pictures/more, which Git ignores. Needs Chromium and pdftoppm.`

const ROOT = join(import.meta.dirname, '..')
const FOLDER = 'docs/pictures'
const FOLDER_OF_OTHERS = 'docs/pictures/more'
const CHROMIUM = '/usr/bin/chromium'
const MAXIMUM_BYTES = 150_000
const WEBP_QUALITY = 0.82
const STEP_LIMIT_MS = 60_000
/** The pages fade in. */
const SETTLE_MS = 600
const THEMES = ['light', 'dark'] as const
const TITLE = 'Contract for design work'
/** Other cases in the list of the console. */
const MORE_TITLES = ['Order 2026/114', 'Rental agreement']

/** Prepares an open case and a finished one. @param folder data folder of the service */
async function prepareScene(baseUrl: string, folder: string): Promise<Scene> {
  const now = () => new Date()
  const token = await tenantToken(folder, 'demo', now())
  const pdf = await makeContract()
  const progress = (line: string) => console.log(`  ${line}`)
  const done = await runDemo({ baseUrl, token, title: TITLE, pdf, now, progress })
  const openCase: Scene['openCase'] = (options) =>
    openExample({ baseUrl, token }, { document: pdf, ...options })
  for (const title of MORE_TITLES) await openCase({ title })
  const opened = await openCase()
  const { signed, evidence } = done
  const consoleUrl = async () => {
    const options = { token, method: 'POST', body: { tenant: 'demo' } }
    const path = `${baseUrl}/dev/console/codes`
    const { code } = await request<{ code: string }>('signing in to the console', path, options)
    return `${baseUrl}/console#code=${code}`
  }
  return { baseUrl, token, ...opened, signed, evidence, contract: pdf, openCase, consoleUrl }
}

/** Compresses a picture in the browser. */
async function toWebp(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage()
  const url = await page.evaluate(
    async ([source, quality]) => {
      const bitmap = await createImageBitmap(await (await fetch(source)).blob())
      const canvas = document.createElement('canvas')
      canvas.width = bitmap.width
      canvas.height = bitmap.height
      canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
      return canvas.toDataURL('image/webp', quality)
    },
    [`data:image/png;base64,${png.toString('base64')}`, WEBP_QUALITY] as const,
  )
  await page.close()
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}

async function take(browser: Browser, picture: Picture, scene: Scene, theme: 'light' | 'dark') {
  const { name, viewport, isPaper = false } = picture
  const context = await browser.newContext({
    viewport,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(STEP_LIMIT_MS)
  await picture.show(page, scene)
  await page.waitForTimeout(SETTLE_MS)
  const webp = await toWebp(browser, await page.screenshot())
  await context.close()
  const file = `${name}${isPaper ? '' : `-${theme}`}.webp`
  if (webp.length > MAXIMUM_BYTES) throw new Error(`${file} has ${webp.length} bytes`)
  const path = join(shownPictures(ROOT).has(file) ? FOLDER : FOLDER_OF_OTHERS, file)
  writeFileSync(join(ROOT, path), webp)
  console.log(`${path}  ${webp.length} bytes`)
}

async function takeAll(pictures: readonly Picture[], folder: string): Promise<void> {
  process.env.DATA_DIR = folder
  const service = await startOwnService()
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  try {
    const scene = await prepareScene(service.baseUrl, folder)
    for (const picture of pictures) {
      for (const theme of picture.isPaper === true ? (['light'] as const) : THEMES) {
        await take(browser, picture, scene, theme)
      }
    }
  } finally {
    await browser.close()
    await service.end()
  }
}

async function main(): Promise<number> {
  const parts = process.argv.slice(2)
  const pictures = PICTURES.filter(
    ({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)),
  )
  await buildWeb()
  mkdirSync(join(ROOT, FOLDER_OF_OTHERS), { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-screenshots-'))
  try {
    await takeAll(pictures, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return 0
}

await runTool(main, USAGE)
