/** The pictures of the documentation: what each one shows, and how to get there. */
import { Buffer } from 'node:buffer'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { TEXTS } from '../../web/texts/use-texts.ts'
import { CONSOLE_PICTURES } from './console-pictures.ts'
import type { Picture, Scene } from './scene.ts'

const DESKTOP = { width: 1100, height: 800 }
/** Shows more of the text above the field. */
const SCROLL_BACK_PIXELS = 190
const EN = TEXTS.en

/** Opens the document of the participant, and the pad for the first field. */
async function openPad(page: Page, { signerUrl }: Scene): Promise<void> {
  await page.goto(signerUrl)
  await page.locator('.page canvas').first().waitFor()
  await page.locator('.textLayer').first().waitFor()
  await page.getByRole('button', { name: EN.nextField, exact: true }).click()
  await page.locator('.pad canvas').waitFor()
}

/** Draws two waves, as a signature. */
async function drawSignature(page: Page): Promise<void> {
  const box = await page.locator('.pad canvas').boundingBox()
  if (!box) throw new Error('the page has no pad')
  const steps = 60
  const at = (step: number) =>
    [
      box.x + box.width * (0.25 + (0.5 * step) / steps),
      box.y + box.height * (0.55 - 0.3 * Math.sin(step / 3) * (1 - step / steps)),
    ] as const
  await page.mouse.move(...at(0))
  await page.mouse.down()
  for (let step = 1; step <= steps; step++) await page.mouse.move(...at(step))
  await page.mouse.up()
}

/** Puts a drawn signature into the field. */
async function fillField(page: Page, scene: Scene): Promise<void> {
  await openPad(page, scene)
  await drawSignature(page)
  await page.getByRole('button', { name: EN.useSignature, exact: true }).click()
  await page.getByText(EN.allFieldsDone).waitFor()
  await page.mouse.wheel(0, -SCROLL_BACK_PIXELS)
}

async function showVerification(page: Page, { baseUrl, signed }: Scene): Promise<void> {
  await page.goto(`${baseUrl}/verify`)
  await page.locator('input[type=file]').setInputFiles({
    name: 'contract-signed.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(signed),
  })
  await page.locator('main h1, main h2').first().waitFor()
  await page.getByText(/PAdES/).first().waitFor()
}

/** Draws the first page of a PDF. @returns PNG */
function drawFirstPage(pdf: Uint8Array): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-picture-'))
  try {
    writeFileSync(join(folder, 'in.pdf'), pdf)
    const args = ['-png', '-r', '96', '-singlefile', 'in.pdf', 'out']
    const { status } = spawnSync('pdftoppm', args, { cwd: folder, stdio: 'ignore' })
    if (status !== 0)
      throw new Error('pdftoppm could not draw the evidence (Debian: poppler-utils)')
    return readFileSync(join(folder, 'out.png'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function showEvidence(page: Page, { evidence }: Scene): Promise<void> {
  const url = `data:image/png;base64,${drawFirstPage(evidence).toString('base64')}`
  await page.setContent(`<body style="margin:0"><img src="${url}" width="100%">`)
  await page.locator('img').evaluate((image: HTMLImageElement) => image.decode())
}

export const PICTURES: readonly Picture[] = [
  { name: 'sign', viewport: DESKTOP, show: fillField },
  {
    name: 'sign-pad',
    viewport: { width: 390, height: 780 },
    async show(page, scene) {
      await openPad(page, scene)
      await drawSignature(page)
    },
  },
  { name: 'verify', viewport: DESKTOP, show: showVerification },
  { name: 'evidence', viewport: { width: 794, height: 1123 }, isPaper: true, show: showEvidence },
  ...CONSOLE_PICTURES,
]
