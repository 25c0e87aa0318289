/**
 * Later revisions that follow the rules for fields and signatures, and yet change what some viewer
 * shows beside them.
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import { readDocument } from '../../../pades/pdf/open.ts'
import { assertUnambiguous } from '../../../pades/sign/unambiguous.ts'
import { RunningDigests } from '../../../pades/sign/running-digests.ts'
import { runSteps } from '../../../pades/sign/sign-document.ts'
import { validateBehind, validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'
import { NOW, seal, stamp } from '../../fixtures/pki.ts'
import { appended, referenceIn, sourceOf, stream, withEntry } from '../../fixtures/revisions.ts'
import { appendSigned, SIGNATURE, withFieldOnPage } from './foreign-signer.ts'
import { OPTIONS, signSample, SIGNERS } from './sample.ts'

const PAGE = 10
const LOOK = 1997
const EVERYWHERE = '0 g -2000 -2000 5000 5000 re f'
const RECT = '/Rect [100 50 200 100]'

const formWith = (entries: string, text = EVERYWHERE) =>
  stream(text).replace('<<', `<< /Type /XObject /Subtype /Form ${entries}`)

async function validateIndications(file: Buffer): Promise<string[]> {
  const { signatures } = await validateSignatures(file, OPTIONS)
  return signatures.map(({ indication }) => indication)
}

async function assertPassed(t: Test, file: Buffer): Promise<void> {
  for (const indication of await validateIndications(file)) t.equal(indication, 'TOTAL_PASSED')
}

async function assertRefused(t: Test, file: Buffer): Promise<void> {
  const [first, ...others] = await validateIndications(file)
  t.ok(others.length > 0)
  t.equal(first, 'INDETERMINATE')
}

const sample = await signSample()

const signedWith = (look: string, objects: Record<number, string> = {}): Promise<Buffer> => {
  const field = `/F 4 ${RECT} /V ${SIGNATURE} 0 R /AP << /N ${LOOK} 0 R >>`
  return appendSigned(sample, { ...withFieldOnPage(sample, field), [LOOK]: look, ...objects })
}

const BOX = '/BBox [0 0 100 50]'
const INNER = { 1996: formWith(BOX, `Q Q ${EVERYWHERE}`) }
const INNER_FORM = `${BOX} /Resources << /XObject << /X 1996 0 R >> >>`
const GLYPHS = `<< /Type /Font /Subtype /Type3 /CharProcs << /a 1996 0 R >> >>`
const GLYPH = `9 0 d0 Q Q ${EVERYWHERE}`
const TEXT = 'BT /F 9 Tf (a) Tj ET'

/** Runs of one octet each (ISO 32000-2, 7.4.5). */
const inRuns = (text: string) => `${[...text].map((octet) => `\0${octet}`).join('')}\x80`
const withFont = (name: string, font: string): string =>
  `${BOX} /Resources << /Font << /${name} ${font} >> >>`

/** Spellings of operators that saved no state, or restored one, and what they seem to be. */
const SPELLINGS: Readonly<Record<string, string>> = {
  'a number before an operator': '0Q 0Q',
  'a string of other digits': '<zz q q> Tj Q Q',
  'an array of operators': '[q q] TJ Q Q',
  'a no-break space before an operator': '\xa0q \xa0q Q Q',
  'a vertical tab before an operator': '\x0bq \x0bq Q Q',
  'an image with two ends': 'q BI /W 9 /H 1 /BPC 8 /CS /G ID aa EI ( x EI Q Q )',
  'an image with an end behind a no-break space':
    'q BI /W 9 /H 1 /BPC 8 /CS /G ID aaa\xa0EI (\nEI Q Q )',
}
const LOOKS: Readonly<Record<string, readonly [string, Record<number, string>]>> = {
  'without a box': [formWith(''), {}],
  'with a box of three numbers': [formWith('/BBox [0 0 100]'), {}],
  'with a box of names': [formWith('/BBox [/a /b /c /d]'), {}],
  'that restores the state of its reader': [formWith(BOX, `q Q Q ${EVERYWHERE}`), {}],
  'that hides its states in a string': [formWith(BOX, `((q) ) Tj Q ${EVERYWHERE}`), {}],
  'that hides its states in an image': [
    formWith(BOX, `q BI /W 9 /H 1 /BPC 8 ID  EI q EI Q ${EVERYWHERE}`),
    {},
  ],
  'that ends marked content of others': [formWith(BOX, 'EMC'), {}],
  'that leaves marked content open': [formWith(BOX, '/OC /None BDC'), {}],
  'with such a form within it': [formWith(INNER_FORM, 'q /X Do Q'), INNER],
  'with such a glyph within it': [formWith(withFont('F', GLYPHS), TEXT), { 1996: stream(GLYPH) }],
  'with such a glyph that is called an image': [
    formWith(withFont('F', GLYPHS), TEXT),
    { 1996: stream(GLYPH).replace('<<', '<< /Subtype /Image') },
  ],
  'with such a glyph of a font that is called P': [
    formWith(withFont('P', GLYPHS), TEXT.replace('/F', '/P')),
    { 1996: stream(GLYPH) },
  ],
  'with such a glyph of a font that is called XObject': [
    formWith(withFont('XObject', GLYPHS), TEXT.replace('/F', '/XObject')),
    { 1996: stream(GLYPH) },
  ],
  'with such a glyph of a font that a graphics state chooses': [
    formWith(
      `${BOX} /Resources << /ExtGState << /P << /Font [1995 0 R 9] >> >> >>`,
      'BT /P gs (a) Tj ET',
    ),
    { 1995: GLYPHS, 1996: stream(GLYPH) },
  ],
  'with such a form in runs within it': [
    formWith(INNER_FORM, 'q /X Do Q'),
    { 1996: formWith('/Filter /RunLengthDecode', inRuns(`Q Q ${EVERYWHERE}`)) },
  ],
  'that is called an image': [
    formWith(BOX, `Q Q ${EVERYWHERE}`).replace('/Subtype /Form', '/Subtype /Image'),
    {},
  ],
  ...Object.fromEntries(
    Object.entries(SPELLINGS).map(([what, text]) => [
      `with ${what}`,
      [formWith(BOX, `${text} ${EVERYWHERE}`), {}] as const,
    ]),
  ),
}

t.test('a new signature that is drawn within its rectangle passes', async (t) => {
  await assertPassed(t, await signedWith(formWith(BOX)))
  const image = 'BI /W 1 /H 1 /BPC 8 /CS /G ID Q EI'
  const text = `BT /F 9 Tf (Q \\) Q) Tj % Q\n[(Q)] TJ ET q /Q gs /a BMC ${image} EMC Q`
  await assertPassed(t, await signedWith(formWith(BOX, text)))
  const honest = { 1995: GLYPHS, 1996: stream('9 0 d0 q 0 0 9 9 re f Q') }
  await assertPassed(t, await signedWith(formWith(withFont('F', '1995 0 R'), TEXT), honest))
})

t.test('contents of appearances have a bound, however they are encoded', async (t) => {
  const signedWithForms = (groups: number) => {
    // Each group is four octets of white space (7.4.3).
    const form = formWith(`${BOX} /Filter /ASCII85Decode`, `${'z'.repeat(groups)}~>`)
    const resources = '/Resources << /XObject << /X 1996 0 R /Y 1995 0 R >> >>'
    return signedWith(formWith(`${BOX} ${resources}`, '/X Do /Y Do'), { 1995: form, 1996: form })
  }
  await assertPassed(t, await signedWithForms(2_000_000))
  await assertRefused(t, await signedWithForms(2_200_000))
})

for (const [what, [look, objects]] of Object.entries(LOOKS)) {
  t.test(`an appearance ${what} is not permitted`, async (t) => {
    await assertRefused(t, await signedWith(look, objects))
  })
}

t.test('a signed field without an area has no background', async (t) => {
  const sign = (look: string): Promise<Buffer> => {
    const field = `/F 4 /Rect [0 150 300 150] ${look} /V ${SIGNATURE} 0 R`
    return appendSigned(sample, withFieldOnPage(sample, field))
  }
  await assertPassed(t, await sign(''))
  await assertRefused(t, await sign('/MK << /BG [0] >>'))
})

/** A signed file with an empty field that the upload had. */
const withEmptyField = (field: string, page: string) =>
  signSample(
    buildPdf({
      pages: [{ extra: `/Annots [${FIRST_EXTRA} 0 R] ${page}` }],
      objects: [`<< /FT /Sig /T (a) /Type /Annot /Subtype /Widget /P ${PAGE} 0 R ${field} >>`],
      catalog: `/AcroForm << /Fields [${FIRST_EXTRA} 0 R] /SigFlags 3 >>`,
    }),
  )

t.test('a field that readers draw beside its rectangle is not filled', async (t) => {
  const fill = async (flags: number): Promise<Buffer> => {
    const file = await withEmptyField(`/F ${flags} ${RECT}`, '/Rotate 90')
    const entries = `/V ${SIGNATURE} 0 R /AP << /N ${LOOK} 0 R >>`
    const filled = withEntry(sourceOf(file, FIRST_EXTRA), entries)
    return appendSigned(file, { [FIRST_EXTRA]: filled, [LOOK]: formWith(BOX) })
  }
  await assertPassed(t, await fill(4))
  await assertRefused(t, await fill(4 + 16))
})

t.test('a new signature does not cover a field whose widget is a kid', async (t) => {
  const file = await signSample(
    buildPdf({
      pages: [{ extra: `/Annots [${FIRST_EXTRA + 1} 0 R]` }],
      objects: [
        `<< /FT /Sig /T (a) /Kids [${FIRST_EXTRA + 1} 0 R] >>`,
        `<< /Type /Annot /Subtype /Widget /Parent ${FIRST_EXTRA} 0 R /P ${PAGE} 0 R ${RECT} >>`,
      ],
      catalog: `/AcroForm << /Fields [${FIRST_EXTRA} 0 R] /SigFlags 3 >>`,
    }),
  )
  const sign = (rectangle: string): Promise<Buffer> => {
    const field = `/F 4 ${rectangle} /V ${SIGNATURE} 0 R /AP << /N ${LOOK} 0 R >>`
    return appendSigned(file, { ...withFieldOnPage(file, field), [LOOK]: formWith(BOX) })
  }
  await assertPassed(t, await sign('/Rect [300 50 400 100]'))
  await assertRefused(t, await sign(RECT))
})

/** Annotations that readers draw with the defaults of the form. */
const DRAWN_BY_DEFAULTS: Readonly<Record<string, string>> = {
  'a widget that no form lists': '/Subtype /Widget /FT /Tx /T (price) /V (100 EUR)',
  'a text without appearance': '/Subtype /FreeText /Contents (100 EUR)',
}

for (const [what, entries] of Object.entries(DRAWN_BY_DEFAULTS)) {
  t.test(`defaults do not come where ${what} uses them`, async (t) => {
    const defaults = '/DR << /Font << /Bad 3 0 R >> >> /DA (/Bad 9 Tf)'
    const extended = async (objects: readonly string[]): Promise<Buffer> => {
      const extra = `/Annots [${FIRST_EXTRA} 0 R]`
      const file = await signSample(buildPdf({ pages: [{ extra }], objects }))
      const form = referenceIn(sourceOf(file, 1), 'AcroForm')
      return appended(file, { [form]: withEntry(sourceOf(file, form), defaults) })
    }
    const place = '/F 4 /DA (/Bad 40 Tf 0 g) /Rect [100 100 500 200]'
    await assertRefused(t, await extended([`<< /Type /Annot ${entries} ${place} >>`]))
    await assertPassed(t, await extended([`<< /Type /Annot /Subtype /Link ${place} >>`]))
  })
}

t.test('a whole number does not become a real one', async (t) => {
  const file = await signSample(buildPdf({ pages: [{ rotate: 90 }] }))
  const objects = withFieldOnPage(file, '/Rect [0 0 0 0]')
  await assertPassed(t, appended(file, objects))
  const page = (objects[PAGE] ?? '').replace('/Rotate 90', '/Rotate 90.0')
  await assertRefused(t, appended(file, { ...objects, [PAGE]: page }))
})

/** A file whose first object names a length. */
function linearizedTo(length: number): Buffer {
  const honest = buildPdf({ structure: 'linearized' })
  const [, digits = ''] = /\/L (\d+\s*)/.exec(honest.toString('latin1', 0, 200)) ?? []
  const file = Buffer.from(honest)
  file.write(String(length).padEnd(digits.length), honest.indexOf(`/L ${digits}`) + 3, 'latin1')
  return file
}

t.test('an upload does not name a length that it may reach', (t) => {
  const judge = (length: number) => () => readDocument(linearizedTo(length), assertUnambiguous)
  const { length } = buildPdf({ structure: 'linearized' })
  t.doesNotThrow(judge(length))
  t.doesNotThrow(judge(length - 500), 'something was appended')
  t.doesNotThrow(judge(length + 2), 'the end of the file was cut off')
  t.throws(judge(length + 50_000), { code: 'AMBIGUOUS' })
  t.end()
})

t.test('a signed file does not name a length that it may reach', async (t) => {
  const original = linearizedTo(buildPdf({ structure: 'linearized' }).length)
  const { tail } = await runSteps(
    { bytes: original, digests: () => new RunningDigests(createHash('sha256')) },
    {
      signers: SIGNERS,
      seal: { fieldName: 'Seal', name: 'Test Seal', credential: seal },
      sealedAt: NOW,
      timeStamp: (digest: Uint8Array) => stamp(digest),
    },
    [],
  )
  // Digests leave out the original, as if it had been so when it was signed.
  const validated = async (length: number) => {
    const file = Buffer.concat([linearizedTo(length), tail])
    return (await validateBehind(file, OPTIONS, original.length)).report
  }
  const honest = await validated(original.length)
  t.equal(honest.signatures[0]?.indication, 'TOTAL_PASSED')
  for (const length of [original.length + tail.length, original.length + tail.length + 500]) {
    const { signatures, summary } = await validated(length)
    t.match(signatures[0], { indication: 'INDETERMINATE', errors: [{ key: 'LINEARIZED_LATER' }] })
    t.equal(summary.documentModifiedAfterSigning, 'unknown')
  }
})
