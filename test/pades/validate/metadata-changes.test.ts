/** Metadata may get another date after a signature, and change in nothing else. */
import t from 'tap'
import { buildPdf } from '../../fixtures/pdf.ts'
import { appended, sourceOf, stream } from '../../fixtures/revisions.ts'
import { signSample } from './sample.ts'
import { CONTENT, CATALOG, FIRST, NEW, assertPassed, assertRefused } from './later-changes.ts'

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
