import { Buffer } from 'node:buffer'
import t from 'tap'
import { PADES_ERRORS, PadesError } from '../../../pades/errors.ts'
import { assertSignable, inspect } from '../../../pades/pdf/inspect.ts'
import { buildPdf, FIRST_EXTRA, type PdfSpec } from '../../fixtures/pdf.ts'

const refusal = (spec: PdfSpec): string | undefined => {
  try {
    assertSignable(inspect(buildPdf(spec)))
  } catch (error) {
    if (error instanceof PadesError) return error.code
    throw error
  }
  return undefined
}

const reference = (index: number) => `${FIRST_EXTRA + index} 0 R`

/** A document with one signed field; `signature` is what its dictionary says. */
const signedWith = (signature: string, field = '', catalog = ''): PdfSpec => ({
  catalog: `/AcroForm << /Fields [${reference(0)}] /SigFlags 3 >> ${catalog}`,
  objects: [
    `<< /FT /Sig /T (First) /V ${reference(1)} ${field} >>`,
    `<< /Type /Sig /Filter /Adobe.PPKLite ${signature} >>`,
  ],
})

t.test('page boxes are inherited, put in order and cut to the media box', async (t) => {
  const { pages } = inspect(
    buildPdf({
      pages: [
        {},
        { mediaBox: [612, 792, 0, 0] },
        { mediaBox: [0, 0, 200, 300], cropBox: [-50, 20, 150, 900] },
        { mediaBox: [0, 0, 0, 0] },
        { cropBox: [5_000, 5_000, 6_000, 6_000], userUnit: 2 },
      ],
    }),
  )
  t.same(
    pages.map(({ mediaBox }) => mediaBox),
    [
      [0, 0, 595, 842],
      [0, 0, 612, 792],
      [0, 0, 200, 300],
      [0, 0, 612, 792],
      [0, 0, 595, 842],
    ],
  )
  t.same(pages[2].cropBox, [0, 20, 150, 300])
  t.same(pages[4].cropBox, [0, 0, 595, 842], 'a crop box beside the page is none')
  t.equal(pages[4].userUnit, 2)
})

t.test('rotations are quarter turns clockwise', async (t) => {
  const rotations = [0, 90, -90, 180, 450, 45, -360]
  const { pages } = inspect(buildPdf({ pages: rotations.map((rotate) => ({ rotate })) }))
  t.same(
    pages.map(({ rotate }) => rotate),
    [0, 90, 270, 180, 90, 0, 0],
  )
})

t.test('a node of the page tree that contains itself is passed over', async (t) => {
  const source = buildPdf().toString('latin1').replace('[10 0 R]', '[2 0 R 10 0 R]')
  t.equal(inspect(Buffer.from(source, 'latin1')).pageCount, 1)
})

t.test('an ordinary document is signable', async (t) => {
  t.match(inspect(buildPdf()), {
    pdfVersion: '1.7',
    pageCount: 1,
    encrypted: false,
    repaired: false,
    signatures: 0,
    locked: false,
    xfa: 'none',
    acroForm: false,
    linearized: false,
  })
  t.equal(refusal({}), undefined)
  t.equal(inspect(buildPdf({ structure: 'linearized' })).linearized, true)
  t.equal(inspect(buildPdf({ catalog: '/Version /2.0' })).pdfVersion, '2.0')
})

t.test('an encrypted document is reported before anything of it is read', async (t) => {
  const spec: PdfSpec = { trailer: '/Encrypt 99 0 R', catalog: '/AcroForm 98 0 R' }
  t.match(inspect(buildPdf(spec)), { encrypted: true, pageCount: 0 })
  t.equal(refusal(spec), 'ENCRYPTED')
})

t.test('a document without pages is refused', async (t) => {
  t.equal(refusal({ pages: [] }), 'NO_PAGES')
})

t.test('a page that is not an object of its own is refused', async (t) => {
  const spec = buildPdf().toString('latin1').replace('[10 0 R]', '[<<>> ]')
  try {
    assertSignable(inspect(Buffer.from(spec, 'latin1')))
    t.fail('was not refused')
  } catch (error) {
    t.match(error, { code: 'DAMAGED' })
  }
})

t.test('approval signatures without locks leave the document signable', async (t) => {
  t.match(inspect(buildPdf(signedWith('/SubFilter /ETSI.CAdES.detached'))), { signatures: 1 })
  t.equal(refusal(signedWith('')), undefined)
  const include =
    '/Reference [<< /TransformMethod /FieldMDP' +
    ' /TransformParams << /Action /Include /Fields [(a)] >> >>]'
  t.equal(refusal(signedWith(include)), undefined)
})

const certifiedWith = (parameters: string) =>
  `/Reference [<< /TransformMethod /DocMDP /TransformParams << ${parameters} >> >>]`

t.test('certification levels 1 and 2 are refused, 3 is not', async (t) => {
  for (const [parameters, level] of [
    ['/P 1', 1],
    ['/P 2', 2],
    ['', 2],
    ['/P 3', 3],
  ] as const) {
    const inField = signedWith(certifiedWith(parameters))
    const perms = `/Perms << /DocMDP ${reference(1)} >>`
    const inCatalog = signedWith(certifiedWith(parameters), '', perms)
    for (const spec of [inField, inCatalog]) {
      t.equal(inspect(buildPdf(spec)).certification, level)
      t.equal(refusal(spec), level === 3 ? undefined : 'CERTIFIED')
    }
  }
  const bare = signedWith('', '', `/Perms << /DocMDP ${reference(1)} >>`)
  t.equal(refusal(bare), 'CERTIFIED', 'named as certifying, without parameters')
})

t.test('locks of all fields, of all others and of the document are refused', async (t) => {
  for (const action of ['/All', '/Exclude']) {
    const rule = `<< /Action ${action} /Fields [(a)] >>`
    const byTransform = `/Reference [<< /TransformMethod /FieldMDP /TransformParams ${rule} >>]`
    t.equal(refusal(signedWith(byTransform)), 'LOCKED')
    t.equal(refusal(signedWith('', `/Lock ${rule}`)), 'LOCKED')
  }
  t.equal(refusal(signedWith('', '/Lock << /Action /Include /Fields [(a)] /P 1 >>')), 'LOCKED')
  t.equal(refusal(signedWith('', '/Lock << /Action /Include /Fields [(a)] >>')), undefined)
  const unsigned: PdfSpec = {
    catalog: `/AcroForm << /Fields [${reference(0)}] >>`,
    objects: ['<< /FT /Sig /T (Empty) /Lock << /Action /All >> >>'],
  }
  t.equal(refusal(unsigned), undefined, 'the lock of an unsigned field is open')
})

t.test('rules that readers take differently forbid as much as they can', async (t) => {
  const rule = (method: string, parameters: string) =>
    `<< /TransformMethod /${method} /TransformParams << ${parameters} >> >>`
  const codes: Record<string, string> = {
    [rule('DocMDP', '/P 3')]: 'none',
    [rule('DocMDP', '/P 1')]: 'CERTIFIED',
    [`[${rule('DocMDP', '/P 4')}]`]: 'CERTIFIED',
    [rule('FieldMDP', '/Action /All')]: 'LOCKED',
    [`[${rule('FieldMDP', '/Action /Other')}]`]: 'LOCKED',
    [`[${rule('FieldMDP', '/Action /Include')}]`]: 'LOCKED',
    [`[${rule('FieldMDP', '/Action /Include /Fields [(a) 1]')}]`]: 'LOCKED',
    '[<< /TransformMethod /FieldMDP >>]': 'LOCKED',
  }
  for (const [reference, code] of Object.entries(codes))
    t.equal(refusal(signedWith(`/Reference ${reference}`)) ?? 'none', code, reference)
  for (const lock of ['', '/Action /Include', '/Action /Include /Fields [] /P (3)'])
    t.equal(refusal(signedWith('', `/Lock << ${lock} >>`)), 'LOCKED', lock)
})

t.test('dynamic XFA forms are refused, static ones are not', async (t) => {
  const xfa = (render: string): string =>
    `<< >>\nstream\n<config><dynamicRender>${render}</dynamicRender></config>\nendstream`
  const spec = (packet: string, catalog = ''): PdfSpec => ({
    catalog: `/AcroForm << /Fields [] /XFA [(config) ${reference(0)}] >> ${catalog}`,
    objects: [packet],
  })
  t.equal(inspect(buildPdf(spec(xfa('forbidden')))).xfa, 'static')
  t.equal(refusal(spec(xfa('forbidden'))), undefined)
  t.equal(refusal(spec(xfa('required'))), 'DYNAMIC_XFA')
  t.equal(refusal(spec(xfa('forbidden'), '/NeedsRendering true')), 'DYNAMIC_XFA')
})

t.test('every refusal says what a person can do or what is wrong', async (t) => {
  for (const message of Object.values(PADES_ERRORS)) {
    t.match(message, /^[A-Z][^\n]{15,}[^.]$/, message)
  }
})

t.test('a signed document that must be repaired is refused, an unsigned one is not', async (t) => {
  const damaged = (spec: PdfSpec): string | undefined => {
    const text = buildPdf(spec)
      .toString('latin1')
      .replace(/startxref\s+\d+/, 'startxref 7')
    try {
      assertSignable(inspect(Buffer.from(text, 'latin1')))
    } catch (error) {
      if (error instanceof PadesError) return error.code
      throw error
    }
    return undefined
  }
  t.equal(damaged(signedWith('/SubFilter /ETSI.CAdES.detached')), 'DAMAGED_AND_SIGNED')
  t.equal(damaged({}), undefined)
})

t.test(
  'a document without room for what signing adds is refused before it is signed',
  async (t) => {
    const code = (pdf: Buffer) => {
      try {
        assertSignable(inspect(pdf))
        return 'signable'
      } catch (error) {
        return error instanceof PadesError ? error.code : error
      }
    }
    const promised = (size: number) =>
      Buffer.from(
        buildPdf({})
          .toString('latin1')
          .replace(/\/Size \d+/, `/Size ${size}`),
        'latin1',
      )
    t.equal(code(promised(1_900_000)), 'signable')
    // Ghostscript and PDFium take objects of large numbers for missing.
    t.equal(code(promised(2_000_000)), 'TOO_MANY_OBJECTS')
    const crowded = (free: number) => {
      const rows = '0000000000 65535 f \n'.repeat(free)
      const text = buildPdf({}).toString('latin1')
      return Buffer.from(text.replace(/trailer/, `20000 ${free}\n${rows}trailer`), 'latin1')
    }
    t.equal(code(crowded(400_000)), 'signable')
    t.equal(code(crowded(490_000)), 'TOO_MANY_OBJECTS')
  },
)

t.test('objects that are compressed with Brotli are not called damaged', async (t) => {
  const file = buildPdf({ structure: 'object-streams' }).toString('latin1')
  // The replacement has the same length, so that all offsets stay; the first stream holds the
  // objects.
  const brotli = Buffer.from(file.replace('/Filter /FlateDecode', '/Filter/BrotliDecode'), 'latin1')
  t.throws(() => inspect(brotli), { code: 'DAMAGED', message: /compressed with Brotli/ })
  const broken = Buffer.from(
    file.replace('/Filter /FlateDecode', '/Filter/FlatterDecode'),
    'latin1',
  )
  t.throws(() => inspect(broken), { message: PADES_ERRORS.DAMAGED })
})
