/** Makes the contract that the pictures of the documentation show, and `examples/contract.pdf`. */
import { PDFDocument, rgb, StandardFonts } from 'pdf-lib'

const A4 = [595, 842] as const
const MARGIN = 72
const LINES = [
  'between ACME Studio, as the client, and Jane Doe, as the contractor.',
  '',
  '1. Subject. The contractor designs the catalogue of the autumn exhibition:',
  'the cover, sixty-four pages and the files for the printer.',
  '',
  '2. Dates. The client provides texts and photographs by 1 March. The',
  'contractor delivers the first proof by 15 March and the final files by',
  '15 April.',
  '',
  '3. Fee. The fee is 4,800 EUR. It is due thirty days after the delivery of the',
  'final files.',
  '',
  '4. Rights. The client may print and publish the catalogue without limits of',
  'time and place. The contractor may show it in a portfolio.',
  '',
  '5. Form. Both parties sign this contract electronically.',
]

/** Makes a contract of one page. */
export async function makeContract(): Promise<Uint8Array<ArrayBuffer>> {
  const document = await PDFDocument.create()
  const page = document.addPage([...A4])
  const [plain, bold] = await Promise.all([
    document.embedFont(StandardFonts.Helvetica),
    document.embedFont(StandardFonts.HelveticaBold),
  ])
  const color = rgb(0.1, 0.13, 0.17)
  page.drawText('Contract for design work', { x: MARGIN, y: 760, size: 20, font: bold, color })
  LINES.forEach((line, index) => {
    page.drawText(line, { x: MARGIN, y: 720 - 20 * index, size: 12, font: plain, color })
  })
  page.drawText('Contractor', { x: MARGIN, y: 300, size: 12, font: plain, color })
  return new Uint8Array(await document.save())
}
