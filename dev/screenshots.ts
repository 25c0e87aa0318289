/** `npm run screenshots`: makes the pictures of the documentation from a service of its own. */
import { Buffer } from 'node:buffer'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { chromium, type Browser } from 'playwright-core'
import { request, upload, waitFor } from '../cli/demo/client.ts'
import { runDemo } from '../cli/demo/flow.ts'
import { startOwnService } from '../cli/demo/own-service.ts'
import { tenantToken } from '../cli/tenant-token.ts'
import { runTool } from '../cli/usage.ts'
import { buildWeb } from './build-web.ts'
import { makeContract } from './screenshots/contract.ts'
import { PICTURES } from './screenshots/pictures.ts'
import type { Picture, Scene } from './screenshots/scene.ts'

const USAGE = `usage: npm run screenshots [-- part of a name …]

Makes docs/pictures/*.webp in both themes. Needs Chromium and pdftoppm.`

const FOLDER = join(import.meta.dirname, '../docs/pictures')
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

interface CaseAnswer {
  id: string
  status: string
  participants: { signerUrl: string }[]
}

/** Opens a case that waits for one participant. */
async function openCase(
  baseUrl: string,
  token: string,
  title: string,
  pdf: Uint8Array<ArrayBuffer>,
): Promise<Pick<Scene, 'signerUrl' | 'caseId'>> {
  const field = { id: 'contractor', page: 1, x: 72, y: 560, width: 200, height: 60, unit: 'pt' }
  const person = { firstName: 'Jane', lastName: 'Doe', email: 'jane@example.com', language: 'en' }
  const created = await request<{ case: CaseAnswer; upload: { url: string } }>(
    'creating the case',
    `${baseUrl}/cases`,
    {
      token,
      method: 'POST',
      body: {
        title,
        validUntil: new Date(Date.now() + 7 * 24 * 60 * 60 * 1000).toISOString(),
        sender: { name: 'ACME Studio' },
        participants: [{ ...person, signatureFields: [field] }],
      },
    },
  )
  await upload(created.upload.url, pdf)
  const url = `${baseUrl}/cases/${created.case.id}`
  const read = () => request<CaseAnswer>('reading the case', url, { token })
  const opened = await waitFor('the upload', STEP_LIMIT_MS, read, ({ status }) => status !== 'NEW')
  const [participant] = opened.participants
  if (!participant) throw new Error('the case has no participant')
  return { signerUrl: participant.signerUrl, caseId: opened.id }
}

/** Prepares an open case and a finished one. @param folder data folder of the service */
async function prepareScene(baseUrl: string, folder: string): Promise<Scene> {
  const now = () => new Date()
  const token = await tenantToken(folder, 'demo', now())
  const pdf = await makeContract()
  const progress = (line: string) => console.log(`  ${line}`)
  const done = await runDemo({ baseUrl, token, title: TITLE, pdf, now, progress })
  for (const title of MORE_TITLES) await openCase(baseUrl, token, title, pdf)
  const opened = await openCase(baseUrl, token, TITLE, pdf)
  const { signed, evidence } = done
  const consoleUrl = async () => {
    const options = { token, method: 'POST', body: { tenant: 'demo' } }
    const path = `${baseUrl}/dev/console/codes`
    const { code } = await request<{ code: string }>('signing in to the console', path, options)
    return `${baseUrl}/console#code=${code}`
  }
  return { baseUrl, ...opened, signed, evidence, contract: pdf, consoleUrl }
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
  writeFileSync(join(FOLDER, file), webp)
  console.log(`docs/pictures/${file}  ${webp.length} bytes`)
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
  mkdirSync(FOLDER, { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-screenshots-'))
  try {
    await takeAll(pictures, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return 0
}

await runTool(main, USAGE)
