/** Embedded fonts that some readers cannot read, and then replace, are refused. */
import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { buildPdf, FIRST_EXTRA } from '../../../fixtures/pdf.ts'
import { streamOf, verdictOn } from '../graphics/painted.ts'
import { compactFont, indexOf, sfnt, trueTypeTables, typeOne } from './programs.ts'

const REFUSED = /an embedded font is damaged or of another kind/
const [FONT, DESCRIPTOR, PROGRAM] = [0, 1, 2].map((index) => `${FIRST_EXTRA + index} 0 R`)

/** A document with a font that has these entries in its descriptor. */
const withDescriptor = (entries: string, ...objects: readonly string[]): Buffer =>
  buildPdf({
    pages: [{ extra: `/Resources << /Font << /F ${FONT} >> >>` }],
    objects: [
      `<< /Type /Font /Subtype /TrueType /BaseFont /F /FontDescriptor ${DESCRIPTOR} >>`,
      `<< /Type /FontDescriptor /FontName /F ${entries} >>`,
      ...objects,
    ],
  })

const embedded = (key: string, program: Buffer, entries = ''): string =>
  verdictOn(
    withDescriptor(
      `/${key} ${PROGRAM}`,
      streamOf(`/Filter /FlateDecode ${entries}`, deflateSync(program)),
    ),
  )
const compact = (program: Buffer, subtype = 'Type1C') =>
  embedded('FontFile3', program, `/Subtype /${subtype}`)

const { loca, glyf, hmtx, head, maxp } = trueTypeTables()
const changed = (table: Buffer, at: number, value: number): Buffer => {
  const copy = Buffer.from(table)
  copy.writeUInt16BE(value, at)
  return copy
}
const OTTO = 0x4f54544f
const outlines = (program: Buffer) => sfnt({ 'CFF ': program }, OTTO, {})

t.test('font programs that are whole are accepted', async (t) => {
  for (const [what, verdict] of Object.entries({
    TrueType: embedded('FontFile2', sfnt()),
    'TrueType of Apple': embedded('FontFile2', sfnt({}, 0x74727565)),
    'TrueType with long offsets': embedded(
      'FontFile2',
      sfnt({ head: changed(head, 50, 1), loca: Buffer.from([0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 8]) }),
    ),
    'another damaged table': embedded('FontFile2', sfnt({ name: Buffer.alloc(1) })),
    'Type 1': embedded('FontFile', typeOne()),
    'Type 1 in hexadecimal': embedded('FontFile', typeOne(undefined, true)),
    'a compact font': compact(compactFont()),
    'a compact font of characters': compact(compactFont(), 'CIDFontType0C'),
    'OpenType with compact outlines': compact(outlines(compactFont()), 'OpenType'),
    'OpenType with TrueType outlines': compact(sfnt(), 'OpenType'),
    'no program': verdictOn(withDescriptor('')),
    'a program that is null': verdictOn(withDescriptor('/FontFile2 null')),
  }))
    t.equal(verdict, 'accepted', what)
})

t.test('font programs that some readers cannot read are refused', async (t) => {
  const cut = sfnt().subarray(0, -1)
  for (const [what, verdict] of Object.entries({
    'a TrueType program that is cut off': embedded('FontFile2', cut),
    'no outlines': embedded('FontFile2', sfnt({ glyf: null })),
    'two tables of outlines': embedded('FontFile2', sfnt({ 'glyf again': glyf! })),
    'a glyph behind the outlines': embedded('FontFile2', sfnt({ loca: changed(loca!, 4, 5) })),
    'a glyph before the one before it': embedded('FontFile2', sfnt({ loca: changed(loca!, 2, 5) })),
    'fewer offsets than glyphs': embedded('FontFile2', sfnt({ loca: loca!.subarray(2) })),
    'no widths': embedded('FontFile2', sfnt({ hmtx: hmtx!.subarray(0, 2) })),
    'no glyphs': embedded('FontFile2', sfnt({ maxp: changed(maxp!, 4, 0) })),
    'a format of offsets that does not exist': embedded(
      'FontFile2',
      sfnt({ head: changed(head, 50, 2) }),
    ),
    'a wrong mark of the head': embedded('FontFile2', sfnt({ head: changed(head, 12, 0) })),
    'an empty program': embedded('FontFile2', Buffer.alloc(0)),
    'Type 1 as TrueType': embedded('FontFile2', typeOne()),
    'TrueType as Type 1': embedded('FontFile', sfnt()),
    'Type 1 without glyphs': embedded('FontFile', typeOne('/Private 1 dict')),
    'Type 1 without an encrypted part': embedded('FontFile', Buffer.from('%!PS-AdobeFont-1.0: F')),
    'a compact font as Type 1': embedded('FontFile', compactFont()),
    'a compact font of another version': compact(changed(compactFont(), 0, 0x0200)),
    'two compact fonts': compact(compactFont(undefined, 2)),
    'a compact font without glyphs': compact(compactFont(indexOf())),
    'a compact font that is cut off': compact(compactFont().subarray(0, -1)),
    'a subtype that does not exist': compact(compactFont(), 'Type2'),
    'OpenType without outlines': compact(sfnt({}, OTTO), 'OpenType'),
    'damaged data': verdictOn(
      withDescriptor(`/FontFile2 ${PROGRAM}`, streamOf('/Filter /FlateDecode', 'damaged')),
    ),
    'two programs': verdictOn(
      withDescriptor(
        `/FontFile2 ${PROGRAM} /FontFile3 ${PROGRAM}`,
        streamOf('/Subtype /OpenType', sfnt()),
      ),
    ),
    'not a stream': verdictOn(withDescriptor('/FontFile2 /Name')),
  }))
    t.match(verdict, REFUSED, what)
})

t.test('a program is read once, however many descriptors share it', async (t) => {
  const outlines = Buffer.from(Uint8Array.from({ length: 1024 * 1024 }, (_, at) => (at * at) >> 3))
  // All of them together would be more than the fonts of a document may have.
  const descriptors = Array.from({ length: 300 }, () => `<< /FontFile2 ${FONT} >>`)
  const numbers = descriptors.map((_, index) => `/F${index} ${FIRST_EXTRA + 1 + index} 0 R`)
  const program = streamOf('/Filter /FlateDecode', deflateSync(sfnt({ glyf: outlines })))
  const file = buildPdf({
    pages: [{ extra: `/Resources << /Font << ${numbers.join(' ')} >> >>` }],
    objects: [program, ...descriptors],
  })
  t.equal(verdictOn(file), 'accepted')
})
