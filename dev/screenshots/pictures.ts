/** The pictures of the documentation: what each one shows, and how to get there. */
import { Buffer } from 'node:buffer'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { CONSOLE_PICTURES } from './console-pictures.ts'
import { drawSignature, fillField, openPad } from './drawing.ts'
import { KIOSK_PICTURES } from './kiosk-pictures.ts'
import type { Picture, Scene } from './scene.ts'
import { STATE_PICTURES } from './state-pictures.ts'

const DESKTOP = { width: 1100, height: 800 }
/** Shows more of the text above the field. */
const SCROLL_BACK_PIXELS = 190

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
  {
    name: 'sign',
    viewport: DESKTOP,
    async show(page, { signerUrl }) {
      await page.goto(signerUrl)
      await fillField(page)
      await page.mouse.wheel(0, -SCROLL_BACK_PIXELS)
    },
  },
  {
    name: 'sign-pad',
    viewport: { width: 390, height: 780 },
    async show(page, { signerUrl }) {
      await page.goto(signerUrl)
      await openPad(page)
      await drawSignature(page)
    },
  },
  { name: 'verify', viewport: DESKTOP, show: showVerification },
  { name: 'evidence', viewport: { width: 794, height: 1123 }, isPaper: true, show: showEvidence },
  ...CONSOLE_PICTURES,
  // They open cases, which the console lists.
  ...STATE_PICTURES,
  ...KIOSK_PICTURES,
]
