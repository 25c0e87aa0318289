/** A document of one page for demonstrations (ISO 32000-2, 7.5). */

/** Standard fonts know no letters beyond Latin-1; the title of the case has them. */
const ascii = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .replaceAll(/[()\\]/g, '\\$&')

const PARAGRAPHS = [
  'This document was made by the console to show how a case is signed on a kiosk.',
  'It has no legal content. The person in front of the kiosk reads it, agrees to sign',
  'electronically, draws a signature in the field below and confirms it.',
  'Afterwards the service seals the document, adds a time-stamp and writes the evidence.',
  'The console shows each step in the case, and offers both documents for download.',
  'Cases like this one can be cancelled, and they expire after one day.',
]

function contentOf(title: string): string {
  const lines = PARAGRAPHS.map((line) => `0 -20 Td (${line}) Tj`)
  return [
    'BT',
    '/F1 20 Tf',
    '72 740 Td',
    `(${ascii(title)}) Tj`,
    '/F1 11 Tf',
    '0 -20 Td',
    ...lines,
    'ET',
  ].join('\n')
}

/** @returns the file; all its characters are ASCII, so offsets are lengths */
export function demoPdf(title: string): Uint8Array {
  const content = contentOf(title)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R ' +
      '/Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return new TextEncoder().encode(file + table + trailer)
}
