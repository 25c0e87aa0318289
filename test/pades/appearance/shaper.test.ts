/**
 * Names in many scripts as five viewers draw them, beside what Chromium draws with the same fonts:
 * its shaper is a build of its own.
 */
import { Buffer } from 'node:buffer'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { chromium } from 'playwright-core'
import t from 'tap'

import { readDrawing } from '../../../pades/appearance/drawing.ts'
import { prepareFont, shaperFor } from '../../../pades/appearance/font.ts'
import { decodePng } from '../../../pades/appearance/png.ts'
import { signDocument } from '../../../pades/index.ts'
import { buildPdf } from '../../fixtures/pdf.ts'
import { janka, NOW } from '../../fixtures/pki.ts'
import { NAMES } from '../../fixtures/names.ts'
import { type GreyImage, renderFirstPage, SCALE, VIEWERS } from '../../fixtures/rendered.ts'
import { CHROMIUM, needsChromium } from '../../web/browser.ts'
import { readSignatures } from '../sign/signed-pdf.ts'
import { MemorySink } from './memory-sink.ts'

t.setTimeout(120_000)

/** Latin letters, and what has a font of a hundred files, are compared among the viewers alone. */
const FILES: Partial<Record<keyof typeof NAMES, string>> = {
  Arabic: 'arabic-arabic',
  Persian: 'arabic-arabic',
  Hebrew: 'hebrew-hebrew',
  Devanagari: 'devanagari-devanagari',
  Bengali: 'bengali-bengali',
  Gurmukhi: 'gurmukhi-gurmukhi',
  Gujarati: 'gujarati-gujarati',
  Oriya: 'oriya-oriya',
  Telugu: 'telugu-telugu',
  Kannada: 'kannada-kannada',
  Malayalam: 'malayalam-malayalam',
  Sinhala: 'sinhala-sinhala',
  Thai: 'thai-thai',
  Lao: 'lao-lao',
  Khmer: 'khmer-khmer',
  Myanmar: 'myanmar-myanmar',
  Ethiopic: 'ethiopic-ethiopic',
  Japanese: 'jp-japanese',
  Korean: 'kr-korean',
}
const SCRIPTS = Object.keys(NAMES) as (keyof typeof NAMES)[]
/** Points; one row for each script. */
const ROW = { left: 12, height: 44, baseline: 30, size: 24 } as const
const PAGE = { width: 340, height: SCRIPTS.length * ROW.height } as const
const CELL = 6
/** Viewers that paint signature fields without being asked to. */
const PAINTING_FIELDS = new Set(['pdf.js', 'pdftoppm', 'mutool'])

const require = createRequire(import.meta.url)

/** A PDF of one page with a name in each row. */
async function pageOfNames(names: readonly string[]) {
  const sink = new MemorySink()
  const shaper = await shaperFor(names)
  const font = prepareFont(sink, names, { ...(shaper && { shaper }) })
  const rows = names.map((name, index) => {
    const y = PAGE.height - index * ROW.height - ROW.baseline
    const shown = font.show(name, { fontName: 'Text', sizePt: ROW.size })
    return `BT /Text ${ROW.size} Tf ${ROW.left} ${y} Td ${shown} ET`
  })
  const content = sink.add('<< >>', Buffer.from(rows.join('\n')))
  const fonts = [{ name: 'Text', objectNumber: font.objectNumber }, ...font.fallbacks]
  const count = sink.objects.length
  const entries = fonts.map(({ name, objectNumber }) => `/${name} ${objectNumber} 0 R`).join(' ')
  sink.add(
    `<< /Type /Page /Parent ${count + 2} 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}]` +
      ` /Contents ${content} 0 R /Resources << /Font << ${entries} >> >> >>`,
  )
  sink.add(`<< /Type /Pages /Kids [${count + 1} 0 R] /Count 1 >>`)
  sink.add(`<< /Type /Catalog /Pages ${count + 2} 0 R >>`)
  return { pdf: fileOf(sink, count + 3), widthOf: font.widthOf }
}

function fileOf({ objects }: MemorySink, root: number): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-2.0\n')]
  const offsets = objects.map(({ source, stream }, index) => {
    const offset = parts.reduce((sum, { length }) => sum + length, 0)
    const body = stream
      ? [source.replace(/>>$/, `/Length ${stream.length} >>\nstream\n`), stream, '\nendstream']
      : [source]
    const all = [`${index + 1} 0 obj\n`, ...body, '\nendobj\n']
    parts.push(Buffer.concat(all.map((one) => Buffer.from(one as Buffer))))
    return offset
  })
  const start = parts.reduce((sum, { length }) => sum + length, 0)
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines.join('')}`
  const trailer = `trailer << /Size ${objects.length + 1} /Root ${root} 0 R >>`
  return Buffer.concat([...parts, Buffer.from(`${table}${trailer}\nstartxref\n${start}\n%%EOF\n`)])
}

interface Drawn {
  image: GreyImage
  /** Thousandths of the font size, by script. */
  widths: Record<string, number>
}

/** Draws the names on a canvas of Chromium, each with the font of its script. */
async function drawByChromium(): Promise<Drawn> {
  const rows = SCRIPTS.map((script, index) => {
    const file = FILES[script]
    if (file === undefined) return undefined
    const [id] = file.split('-')
    const path = require.resolve(
      `@fontsource/noto-sans-${id}/files/noto-sans-${file}-400-normal.woff`,
    )
    const data = readFileSync(path).toString('base64')
    return { script, index, name: NAMES[script], url: `data:font/woff;base64,${data}` }
  }).filter((row) => row !== undefined)
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    const { png, widths } = await page.evaluate(
      async ({ rows, page, row, scale }) => {
        const canvas = document.createElement('canvas')
        canvas.width = page.width * scale
        canvas.height = page.height * scale
        const context = canvas.getContext('2d')!
        context.fillStyle = 'white'
        context.fillRect(0, 0, canvas.width, canvas.height)
        context.fillStyle = 'black'
        context.scale(scale, scale)
        const widths: Record<string, number> = {}
        for (const { script, index, name, url } of rows) {
          document.fonts.add(await new FontFace(script, `url(${url})`).load())
          context.font = `1000px ${script}`
          widths[script] = context.measureText(name).width
          context.font = `${row.size}px ${script}`
          context.fillText(name, row.left, index * row.height + row.baseline)
        }
        return { png: canvas.toDataURL('image/png').split(',')[1]!, widths }
      },
      { rows, page: PAGE, row: ROW, scale: SCALE },
    )
    return { image: greyPng(Buffer.from(png, 'base64')), widths }
  } finally {
    await browser.close()
  }
}

let drawn: Promise<Drawn> | undefined
/** Drawn once for the whole file. */
const drawnByChromium = (): Promise<Drawn> => (drawn ??= drawByChromium())

function greyPng(file: Buffer): GreyImage {
  const { width, height, rgba } = decodePng(file)
  const pixels = Uint8Array.from({ length: width * height }, (_, at) => rgba[at * 4]!)
  return { width, height, pixels }
}

/** Darkness of the cells of a row, from the top left. */
function cellsOf(image: GreyImage, index: number): number[] {
  const top = index * ROW.height * SCALE
  const columns = Math.floor(image.width / CELL)
  const cells = new Array<number>(columns * Math.ceil((ROW.height * SCALE) / CELL)).fill(0)
  for (let y = 0; y < ROW.height * SCALE; y++) {
    for (let x = 0; x < columns * CELL; x++) {
      const dark = 255 - image.pixels[(top + y) * image.width + x]!
      cells[Math.floor(y / CELL) * columns + Math.floor(x / CELL)]! += dark
    }
  }
  return cells
}

/** From 0, drawn alike, to 1, nothing in common. */
function difference(one: GreyImage, other: GreyImage, index: number): number {
  const [a, b] = [cellsOf(one, index), cellsOf(other, index)]
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  return sum(a.map((dark, at) => Math.abs(dark - b[at]!))) / (sum(a) + sum(b))
}

/** Keeps a file to look at, where the run names a folder for such. */
function keep(name: string, content: Uint8Array): void {
  const folder = process.env.SCREENSHOTS
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), content)
}

/** Antialiasing differs; a mark that is missing or out of place makes a difference above it. */
const ALIKE = 0.13

t.test('five viewers draw the names as Chromium shapes them', needsChromium, async (t) => {
  const { pdf, widthOf } = await pageOfNames(SCRIPTS.map((script) => NAMES[script]))
  keep('scripts.pdf', pdf)
  const expected = await drawnByChromium()
  for (const [script, width] of Object.entries(expected.widths)) {
    const own = widthOf(NAMES[script as keyof typeof NAMES])
    t.ok(Math.abs(own - width) < 2, `${script}: ${own} wide, ${width} in Chromium`)
  }
  const images = await Promise.all(VIEWERS.map((viewer) => renderFirstPage(pdf, viewer)))
  for (const [index, script] of SCRIPTS.entries()) {
    const [first] = images
    for (const [at, image] of images.entries()) {
      const isCompared = script in expected.widths
      const other = isCompared ? expected.image : first!
      const found = difference(image, other, index)
      t.ok(found < ALIKE, `${script} in ${VIEWERS[at]}: ${found.toFixed(3)}`)
    }
  }
})

t.test(
  'the comparison sees letters that are not joined, reordered or turned',
  needsChromium,
  async (t) => {
    // Each letter apart, as a font without its rules would show them.
    const apart = SCRIPTS.map((script) => [...NAMES[script]].join('\u00A0\u00A0'))
    const { pdf } = await pageOfNames(apart)
    const expected = await drawnByChromium()
    const image = await renderFirstPage(pdf, VIEWERS[0]!)
    for (const [index, script] of SCRIPTS.entries()) {
      if (!(script in expected.widths)) continue
      t.ok(difference(image, expected.image, index) > ALIKE * 2, script)
    }
  },
)

t.test('Poppler copies the names as they are recorded', async (t) => {
  const { pdf } = await pageOfNames(SCRIPTS.map((script) => NAMES[script]))
  const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf, stdio: 'pipe' })
    .toString()
    .replaceAll(/[\u202A-\u202E\u200E\u200F]/g, '')
    .normalize('NFC')
  for (const script of SCRIPTS) t.match(text, NAMES[script].normalize('NFC'), script)
})

/** The names at two places each: wide ones, and ones in which a row ends within a word. */
async function signedBy(names: readonly string[], hasLines: boolean): Promise<Uint8Array> {
  const signers = names.map((name, index) => ({
    fieldName: `signer ${index}`,
    name,
    places: [
      { page: 1, x: 20, y: 20 + index * 70, width: 180, height: 55, unit: 'pt' } as const,
      { page: 1, x: 220, y: 20 + index * 70, width: 40, height: 55, unit: 'pt' } as const,
    ],
    appearance: {
      drawing: readDrawing('M 5 25 C 20 0 25 50 40 20 S 60 0 80 30 L 95 10'),
      lines: hasLines ? [name] : [],
      isFramed: true,
    },
    credential: () => janka,
  }))
  return (await signDocument(buildPdf(), { signers, sealedAt: NOW })).bytes
}

const darkness = ({ pixels }: GreyImage) => pixels.filter((grey) => grey < 160).length

t.test('a signed document shows the names, and its signatures are valid', async (t) => {
  const names = [NAMES.Arabic, NAMES.Devanagari, NAMES.Thai, NAMES.Chinese, NAMES.Hebrew]
  const signed = await signedBy(names, true)
  keep('scripts-signed.pdf', signed)
  const signatures = readSignatures(signed)
  t.equal(signatures.length, names.length)
  for (const { name, isValid } of signatures) t.ok(isValid, name ?? '')
  const bare = await signedBy(names, false)
  for (const viewer of VIEWERS.filter((one) => PAINTING_FIELDS.has(one))) {
    const [one, other] = [
      await renderFirstPage(signed, viewer),
      await renderFirstPage(bare, viewer),
    ]
    const more = darkness(one) - darkness(other)
    t.ok(more > 500, `${viewer}: ${more} pixels more`)
  }
})
