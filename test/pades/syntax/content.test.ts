/** Content streams with which every reader draws the same. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { PadesError } from '../../../pades/errors.ts'
import { readDocument } from '../../../pades/pdf/open.ts'
import { assertReadAlike } from '../../../pades/sign/unambiguous.ts'
import { findContentFault } from '../../../pades/syntax/content.ts'
import type { FaultCode } from '../../../pades/syntax/faults.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'

const TAKEN = [
  '',
  'q 1 0 0 1 0 0 cm /X1 Do Q',
  'BT /F1 12 Tf 10 20 Td (a) Tj [(b) -20 <63>] TJ ET',
  '0.5 g 1 0 0 rg /Cs1 cs 0.1 0.2 scn 0 0 10 10 re f*',
  '/Tag << /MCID 0 >> BDC EMC % comment\n/Artifact BMC EMC',
  'BX 1 2 3 unknown EX',
  'BI /W 1 /H 1 /BPC 8 /CS /G ID \u0080 EI Q',
  'q BT 11.05 0 0 Td ET Q',
  '/Tx B',
  'Q q',
]
for (const source of TAKEN) {
  t.test(`${JSON.stringify(source)} is taken`, async (t) =>
    t.equal(findContentFault(Buffer.from(source, 'latin1')), undefined),
  )
}

const REFUSED: Readonly<Record<string, FaultCode>> = {
  'endstream 0 g': 'CONTENT_OPERATOR',
  '0 0 m 1 1 line': 'CONTENT_OPERATOR',
  '0 0 0 0 m': 'CONTENT_OPERANDS',
  '1 l': 'CONTENT_OPERANDS',
  '1 2 3': 'CONTENT_OPERANDS',
  'BT 1 2 3 Td (a) Tj ET': 'CONTENT_OPERANDS',
  '(a Tj': 'UNCLOSED',
  '. .5 .5 rg': 'NUMBER_ODD',
  '1 0 R': 'CONTENT_OPERATOR',
  'BI /W 1 ID x': 'UNCLOSED',
  'BI /W 1 /H 1 ID x EI 0 g 0 0 9 9 re f EI': 'CONTENT_OPERATOR',
  'q > Q': 'CONTENT_OPERATOR',
}
for (const [source, code] of Object.entries(REFUSED)) {
  t.test(`${JSON.stringify(source)} is ${code}`, async (t) =>
    t.equal(findContentFault(Buffer.from(source, 'latin1')), code),
  )
}

const codeOf = (file: Uint8Array): string => {
  try {
    readDocument(file, assertReadAlike)
    return 'accepted'
  } catch (error) {
    if (error instanceof PadesError) return error.code
    throw error
  }
}

const stream = (entries: string, data: string): string =>
  `<< ${entries} /Length ${data.length} >>\nstream\n${data}\nendstream`

t.test('pages and forms are judged, and data that are cut off', async (t) => {
  const shown = (object: string) =>
    buildPdf({
      pages: [{ extra: `/Resources << /XObject << /X ${FIRST_EXTRA} 0 R >> >>` }],
      objects: [object],
    })
  const form = '/Type /XObject /Subtype /Form /BBox [0 0 9 9]'
  t.equal(codeOf(shown(stream(form, '0 0 9 9 re f'))), 'accepted')
  t.equal(codeOf(shown(stream(form, '0 0 9 9 rectangle f'))), 'AMBIGUOUS')
  t.equal(codeOf(shown(stream(`${form} /Filter /FlateDecode`, 'no data'))), 'AMBIGUOUS')
  const image = '/Type /XObject /Subtype /Image /Width 1 /Height 1'
  t.equal(codeOf(shown(stream(`${image} /Filter /FlateDecode`, 'no data'))), 'accepted')
  const page = buildPdf()
  page.write('Xj', page.indexOf('Tj'), 'latin1')
  t.equal(codeOf(page), 'AMBIGUOUS')
})
