/** What honest programs write after a signature is permitted, and for that purpose only. */
import type { Buffer } from 'node:buffer'
import t, { type Test } from 'tap'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'
import { appended, referenceIn, sourceOf, stream, withEntry } from '../../fixtures/revisions.ts'
import { appendSigned, FIELD, SIGNATURE, withFieldOnPage } from './foreign-signer.ts'
import { OPTIONS, signSample } from './sample.ts'

const PAGE = 10
const CONTENT = 11
const CATALOG = 1
const RECTANGLE = '/Rect [300 50 400 100]'
const LOOK = 1901
const [FIRST, SECOND, THIRD] = [FIRST_EXTRA, FIRST_EXTRA + 1, FIRST_EXTRA + 2]
const NEW = 1950

const look = stream('0 0 10 10 re f').replace(
  '<<',
  '<< /Type /XObject /Subtype /Form /BBox [0 0 10 10]',
)
const withLook = `/V ${SIGNATURE} 0 R /AP << /N ${LOOK} 0 R >>`

async function assertPassed(t: Test, file: Buffer): Promise<void> {
  const { signatures, summary } = await validateSignatures(file, OPTIONS)
  t.ok(signatures.length > 0)
  for (const { indication, errors } of signatures) {
    t.equal(indication, 'TOTAL_PASSED', errors.map(({ key }) => key).join())
  }
  t.not(summary.documentModifiedAfterSigning, 'notPermitted')
}

/** The first signature does not pass, and the report names a change. */
async function assertRefused(t: Test, file: Buffer): Promise<void> {
  const { signatures } = await validateSignatures(file, OPTIONS)
  const [first] = signatures
  t.equal(first?.integrity.digestMatch, true)
  t.not(first?.indication, 'TOTAL_PASSED')
  t.ok(first?.modifications.changes.some(({ permitted }) => !permitted))
}

const packet = (description: string, title = 'Contract') =>
  '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>\n' +
  '<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Toolkit 1">\n' +
  '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n' +
  '<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"' +
  ` xmlns:dc="http://purl.org/dc/elements/1.1/">\n${description}` +
  `<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${title}</rdf:li></rdf:Alt></dc:title>\n` +
  '</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end="w"?>'
const metadata = (text: string, type = '/Type /Metadata /Subtype /XML') =>
  stream(text).replace('<<', `<< ${type}`)
const dated = (date: string) => packet(`<xmp:ModifyDate>${date}</xmp:ModifyDate>\n`)

const withMetadata = (text = dated('2026-01-01'), spec: Parameters<typeof buildPdf>[0] = {}) =>
  signSample(buildPdf({ catalog: `/Metadata ${FIRST} 0 R`, objects: [metadata(text)], ...spec }))

t.test('metadata with another date is permitted, in the same object or a new one', async (t) => {
  const file = await withMetadata()
  const later = metadata(
    packet(
      '<xmp:ModifyDate>2026-02-01</xmp:ModifyDate><xmp:MetadataDate></xmp:MetadataDate>' +
        '<xmp:CreateDate/>',
    ).replace('Toolkit 1', 'Toolkit 2'),
  )
  await assertPassed(t, appended(file, { [FIRST]: later }))
  const moved = sourceOf(file, CATALOG).replace(`/Metadata ${FIRST}`, `/Metadata ${NEW}`)
  await assertPassed(t, appended(file, { [CATALOG]: moved, [NEW]: later }))
  const attribute = dated('2026-01-01').replace('rdf:about=""', 'rdf:about="" xmp:CreateDate="1"')
  await assertPassed(t, appended(file, { [FIRST]: metadata(attribute) }))
})

const date = '<xmp:ModifyDate>2026-01-01</xmp:ModifyDate>\n'
const OTHER_PACKETS: Readonly<Record<string, string>> = {
  'another title': packet(date, 'Another contract'),
  'a date within the title': packet(date, 'Contract<xmp:ModifyDate>!</xmp:ModifyDate>'),
  'another property': packet(`${date}<xmp:Label>red</xmp:Label>`),
  'a namespace of another meaning': dated('2026-01-01').replace('/xap/1.0/', '/xap/2.0/'),
  'a comment': packet(`${date}<!-- x -->`),
  'an entity': packet(date).replace('<x:xmpmeta', '<!DOCTYPE x [<!ENTITY a "b">]><x:xmpmeta'),
  'a date with parts': packet('<xmp:ModifyDate><dc:title>x</dc:title></xmp:ModifyDate>'),
  'an end that is missing': dated('2026-01-01').replace('</x:xmpmeta>', ''),
}

for (const [what, text] of Object.entries(OTHER_PACKETS)) {
  t.test(`metadata with ${what} is not permitted`, async (t) => {
    await assertRefused(t, appended(await withMetadata(), { [FIRST]: metadata(text) }))
  })
}

t.test('a date that the signed title holds does not change', async (t) => {
  const title = (value: string) => packet('', `<xmp:ModifyDate>${value}</xmp:ModifyDate>`)
  const file = await withMetadata(title('One'))
  await assertRefused(t, appended(file, { [FIRST]: metadata(title('Two')) }))
})

t.test('metadata that are something else as well do not change', async (t) => {
  const file = await withMetadata(undefined, { pages: [{ extra: `/Thumb ${FIRST} 0 R` }] })
  await assertRefused(t, appended(file, { [FIRST]: metadata(dated('2026-02-01')) }))
  const plain = await withMetadata()
  const image = metadata(dated('2026-02-01'), '/Type /XObject /Subtype /Image')
  await assertRefused(t, appended(plain, { [FIRST]: image }))
  const moved = sourceOf(plain, CATALOG).replace(`/Metadata ${FIRST}`, `/Metadata ${CONTENT}`)
  await assertRefused(t, appended(plain, { [CATALOG]: moved }))
})

t.test('the catalog may name a later version of PDF', async (t) => {
  const file = await signSample()
  const versioned = (version: string) =>
    appended(file, { [CATALOG]: withEntry(sourceOf(file, CATALOG), `/Version ${version}`) })
  for (const version of ['/1.7', '/2.0']) await assertPassed(t, versioned(version))
  for (const version of ['/1.4', '/9.9', '2.0', '(2.0)']) await assertRefused(t, versioned(version))
})

t.test('the catalog may name extensions, which are data that show nothing', async (t) => {
  const file = await signSample()
  const extended = (value: string) =>
    appended(file, {
      [CATALOG]: withEntry(sourceOf(file, CATALOG), `/Extensions << /ADBE ${value} >>`),
      [NEW]: stream('0 g'),
    })
  await assertPassed(t, extended('<< /BaseVersion /1.7 /ExtensionLevel 8 >>'))
  await assertRefused(t, extended(`${NEW} 0 R`))
  await assertRefused(t, extended(`<< /BaseVersion ${PAGE} 0 R >>`))
  await assertRefused(t, extended(`[<< /BaseVersion /1.7 /URL ${NEW} 0 R >>]`))
})

t.test('defaults of a form change where no field uses them', async (t) => {
  const changed = async (field: string): Promise<Buffer> => {
    const file = await signSample(
      buildPdf({
        catalog: `/AcroForm << /Fields [${field}] /DA (/A 0 Tf) /DR ${SECOND} 0 R >>`,
        objects: [
          `<< /FT /Tx /T (t) /Subtype /Widget /Rect [0 0 9 9] /P ${PAGE} 0 R /V (x) >>`,
          '<< /Font << >> >>',
        ],
      }),
    )
    const form = referenceIn(sourceOf(file, CATALOG), 'AcroForm')
    const owner = Number.isNaN(form) ? CATALOG : form
    const other = sourceOf(file, owner).replace('(/A 0 Tf)', '(/B 0 Tf)')
    return appended(file, { [owner]: other, [SECOND]: '<< /Font << /B 3 0 R >> >>' })
  }
  await assertPassed(t, await changed(''))
  await assertRefused(t, await changed(`${FIRST} 0 R`))
})

/** A form with an empty field below another one; what is below it is up to the test. */
const nested = (field: string, widget = '', list = FIRST) =>
  signSample(
    buildPdf({
      pages: [{ extra: `/Annots [${widget ? THIRD : SECOND} 0 R]` }],
      catalog: `/AcroForm << /Fields [${list} 0 R] /SigFlags 3 >>`,
      objects: [`<< /T (group) /Kids [${SECOND} 0 R] >>`, field, ...(widget ? [widget] : [])],
    }),
  )
const WIDGET = `/Type /Annot /Subtype /Widget /F 4 ${RECTANGLE} /P ${PAGE} 0 R`

t.test('an empty field below another one is signed', async (t) => {
  const file = await nested(`<< /FT /Sig /T (a) /Parent ${FIRST} 0 R ${WIDGET} >>`)
  const filled = withEntry(sourceOf(file, SECOND), withLook)
  const signed = (source: string) => appendSigned(file, { [SECOND]: source, [LOOK]: look })
  await assertPassed(t, await signed(filled))
  await assertPassed(t, await signed(filled.replace('/F 4', '/F 132')))
  await assertRefused(t, await signed(filled.replace('/F 4', '/F 6')))
  await assertRefused(t, await signed(filled.replace(RECTANGLE, '/Rect [0 0 400 400]')))
})

t.test('an empty field whose widget is an object of its own is signed', async (t) => {
  const file = await nested(
    `<< /FT /Sig /T (a) /Parent ${FIRST} 0 R /Kids [${THIRD} 0 R] >>`,
    `<< ${WIDGET} /Parent ${SECOND} 0 R >>`,
  )
  const field = withEntry(sourceOf(file, SECOND), `/V ${SIGNATURE} 0 R`)
  const widget = withEntry(sourceOf(file, THIRD), `/AP << /N ${LOOK} 0 R >>`)
  const signed = (objects: Record<number, string>) =>
    appendSigned(file, { [SECOND]: field, [THIRD]: widget, [LOOK]: look, ...objects })
  await assertPassed(t, await signed({}))
  await assertRefused(t, await signed({ [THIRD]: widget.replace(RECTANGLE, '/Rect [0 0 9 9]') }))
  await assertRefused(t, await signed({ [THIRD]: withEntry(widget, '/MK << /BG [0] >>') }))
  await assertRefused(t, await signed({ [SECOND]: withEntry(field, '/DA (/F1 9 Tf)') }))
  await assertRefused(t, await signed({ [SECOND]: sourceOf(file, SECOND) }))
})

t.test('a new field may have a widget that is an object of its own', async (t) => {
  const file = await signSample()
  const widget = FIELD + 5
  const objects = withFieldOnPage(file, '')
  const signed = (ofWidget: string, ofField = '', page = objects[PAGE]) =>
    appendSigned(file, {
      ...objects,
      [PAGE]: page.replace(`${FIELD} 0 R`, `${widget} 0 R`),
      [FIELD]: `<< /FT /Sig /T (New) /Kids [${widget} 0 R] /V ${SIGNATURE} 0 R ${ofField} >>`,
      [widget]: `<< ${WIDGET} /AP << /N ${LOOK} 0 R >> ${ofWidget} >>`,
      [LOOK]: look,
    })
  const parent = `/Parent ${FIELD} 0 R`
  await assertPassed(t, await signed(parent))
  await assertRefused(t, await signed(`/Parent ${PAGE} 0 R`))
  await assertRefused(t, await signed(`${parent} /T (Other)`))
  await assertRefused(t, await signed(`${parent} /A << /S /Named >>`))
  await assertRefused(t, await signed(parent, '/Rect [0 0 400 400]'))
  const both = objects[PAGE].replace(`${FIELD} 0 R`, `${FIELD} 0 R ${widget} 0 R`)
  await assertRefused(t, await signed(parent, '', both.replace(`${FIELD} 0 R`, `${PAGE} 0 R`)))
})

t.test('a page that is a field as well does not become an annotation', async (t) => {
  const file = await signSample(
    buildPdf({
      pages: [{}, { extra: `/FT /Sig /T (a) /Subtype /Widget ${RECTANGLE}` }],
      catalog: '/AcroForm << /Fields [12 0 R] /SigFlags 3 >>',
    }),
  )
  const page = withEntry(sourceOf(file, 12), `/V ${SIGNATURE} 0 R`)
  await assertRefused(t, await appendSigned(file, { 12: page }))
})

t.test('a new security store may repeat what the old one has, and drops nothing', async (t) => {
  const file = await signSample(
    buildPdf({
      catalog:
        `/DSS << /Certs [${FIRST} 0 R ${SECOND} 0 R]` +
        ` /VRI << /AB << /Cert [${FIRST} 0 R] >> >> >>`,
      objects: [stream('one'), stream('two')],
    }),
  )
  const catalog = sourceOf(file, CATALOG)
  const rewritten = (store: string) =>
    appended(file, {
      [CATALOG]: catalog.replace(/\/DSS <<.*>> >> >>/, `/DSS << ${store} >>`),
      1930: stream('one'),
      1931: stream('two'),
      1932: stream('three'),
    })
  const vri = '/VRI << /AB << /Cert [1930 0 R] >> >>'
  await assertPassed(t, rewritten(`/Certs [1931 0 R 1930 0 R 1932 0 R] ${vri}`))
  await assertPassed(t, rewritten(`/Certs [${SECOND} 0 R 1930 0 R 1930 0 R] ${vri}`))
  await assertRefused(t, rewritten(`/Certs [1930 0 R 1932 0 R] ${vri}`))
  await assertRefused(t, rewritten(`/CRLs [1930 0 R 1931 0 R] ${vri}`))
  await assertRefused(t, rewritten('/Certs [1930 0 R 1931 0 R]'))
})

/** A tagged document: root, element of the document, number tree, and an element of the page. */
const TAGGED = {
  root:
    `<< /Type /StructTreeRoot /K ${SECOND} 0 R /ParentTree ${THIRD} 0 R` +
    ' /ParentTreeNextKey 1 >>',
  document: `<< /Type /StructElem /S /Document /P ${FIRST} 0 R /K [${THIRD + 1} 0 R] >>`,
  tree: `<< /Nums [0 [${THIRD + 1} 0 R]] >>`,
  paragraph: `<< /Type /StructElem /S /P /P ${SECOND} 0 R /Pg ${PAGE} 0 R /K 0 >>`,
}
const ELEMENT = NEW + 1

/** A signature in a tagged document, whose widget gets an element as signing programs write it. */
async function signedTagged(changes: Record<number, (source: string) => string> = {}, extra = '') {
  const file = await signSample(
    buildPdf({
      catalog: `/StructTreeRoot ${FIRST} 0 R /MarkInfo << /Marked true >>`,
      pages: [{ extra }],
      objects: Object.values(TAGGED),
    }),
  )
  const reference = `<< /Type /OBJR /Obj ${FIELD} 0 R /Pg ${PAGE} 0 R >>`
  const objects: Record<number, string> = {
    ...withFieldOnPage(file, `${RECTANGLE} /F 4 /V ${SIGNATURE} 0 R /StructParent 1`),
    [FIRST]: TAGGED.root.replace('Key 1', 'Key 2'),
    [SECOND]: TAGGED.document.replace(']', ` ${ELEMENT} 0 R]`),
    [THIRD]: TAGGED.tree.replace(']]', `] 1 ${ELEMENT} 0 R]`),
    [ELEMENT]: `<< /Type /StructElem /S /Form /P ${SECOND} 0 R /Pg ${PAGE} 0 R /K ${reference} >>`,
  }
  for (const [number, change] of Object.entries(changes)) {
    const before = objects[Number(number)] ?? sourceOf(file, Number(number))
    objects[Number(number)] = change(before)
    t.not(objects[Number(number)], before)
  }
  return appendSigned(file, objects)
}

t.test('a new widget may get an element of the structure tree', async (t) => {
  await assertPassed(t, await signedTagged())
  const inArray = (source: string) => source.replace(/\/K (<<.*>>) >>/, '/K [$1] >>')
  await assertPassed(t, await signedTagged({ [ELEMENT]: inArray }))
})

const OTHER_STRUCTURE: Readonly<Record<string, Record<number, (source: string) => string>>> = {
  'text of its own': { [ELEMENT]: (source) => withEntry(source, '/ActualText (PAY 9999)') },
  'another role': { [ELEMENT]: (source) => source.replace('/Form', '/P') },
  'content of the page': { [ELEMENT]: (source) => source.replace(/\/K <<.*>> >>/, '/K 0 >>') },
  'another object': { [ELEMENT]: (source) => source.replace(`/Obj ${FIELD}`, `/Obj ${CONTENT}`) },
  'a parent elsewhere': { [ELEMENT]: (source) => source.replace(`/P ${SECOND}`, `/P ${PAGE}`) },
  'a place before others': {
    [SECOND]: () => TAGGED.document.replace('[', `[${ELEMENT} 0 R `),
  },
  'a signed element less': { [SECOND]: (source) => source.replace(`${THIRD + 1} 0 R`, '') },
  'another title of a signed element': {
    [SECOND]: (source) => withEntry(source, '/ActualText (PAY 9999)'),
  },
  'a changed sibling': { [THIRD + 1]: (source) => withEntry(source, '/Alt (PAY 9999)') },
  'a number that is taken': { [THIRD]: (source) => source.replace('] 1 ', '] 0 ') },
  'a role map': { [FIRST]: (source) => withEntry(source, '/RoleMap << /P /Artifact >>') },
  'a smaller next key': { [FIRST]: (source) => source.replace('Key 2', 'Key 0') },
}

for (const [what, changes] of Object.entries(OTHER_STRUCTURE)) {
  t.test(`a structure tree with ${what} is not permitted`, async (t) => {
    await assertRefused(t, await signedTagged(changes))
  })
}

t.test('an element that is something else as well does not change', async (t) => {
  await assertRefused(t, await signedTagged({}, `/PieceInfo ${SECOND} 0 R`))
})

const FORBIDDING: Readonly<Record<string, string>> = {
  DocMDP: '/P 2',
  FieldMDP: '/Action /All',
}

for (const [method, parameters] of Object.entries(FORBIDDING)) {
  t.test(`a change that ${method} forbids is named`, async (t) => {
    const sample = await signSample()
    const transform = `/TransformMethod /${method} /TransformParams << ${parameters} >>`
    const entries = `/Reference [<< /Type /SigRef ${transform} >>]`
    const objects = withFieldOnPage(sample, `${RECTANGLE} /F 4 /V ${SIGNATURE} 0 R`)
    const file = await appendSigned(sample, objects, { entries })
    const later = Object.entries(withFieldOnPage(file, '')).map(
      ([number, source]) => [number, source.replace(`${FIELD} 0 R]`, `${NEW} 0 R]`)] as const,
    )
    const field = '<< /FT /Sig /T (Later) /Type /Annot /Subtype /Widget /Rect [0 0 0 0] >>'
    const again = appended(file, {
      ...Object.fromEntries(later),
      [FIELD]: sourceOf(file, FIELD),
      [NEW]: field,
    })
    const { signatures } = await validateSignatures(again, OPTIONS)
    for (const { fieldName, indication, modifications } of signatures) {
      const refused = modifications.changes.filter(({ permitted }) => !permitted)
      const isForbidden = fieldName === 'New'
      t.equal(indication, isForbidden ? 'INDETERMINATE' : 'TOTAL_PASSED')
      t.same(
        refused.map(({ object, path }) => [object, path]),
        isForbidden ? [[NEW, `${NEW}.${method}`]] : [],
      )
    }
  })
}
