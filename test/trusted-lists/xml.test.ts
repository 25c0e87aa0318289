import t from 'tap'
import { TrustedListError } from '../../trusted-lists/errors.ts'
import { decodeXml, MAXIMUM_XML_OCTETS, readXml } from '../../trusted-lists/xml.ts'
import { cpuMs } from '../fixtures/cpu-time.ts'

function codeOf(run: () => unknown): string {
  try {
    run()
    return 'none'
  } catch (error) {
    if (error instanceof TrustedListError) return error.code
    throw error
  }
}

t.test('elements, attributes, namespaces, text and references are read', async (t) => {
  const root = readXml(
    `<?xml version="1.0" encoding="UTF-8" standalone='no'?>\n<!-- a -->
    <a xmlns="urn:a" xmlns:b='urn:b' x="1&#x9;2"
    b:x='"'>x&amp;&lt;&#65;<b:c/><![CDATA[<&]]></a >\n`,
  )
  t.match(root, { name: 'a', namespace: 'urn:a', text: 'x&<A<&' })
  t.same(
    [...root.attributes],
    [
      ['x', '1\t2'],
      ['{urn:b}x', '"'],
    ],
  )
  t.match(root.children, [{ name: 'c', namespace: 'urn:b' }])
  t.equal(readXml('<a xmlns="urn:a"><b xmlns=""/></a>').children[0]?.namespace, '')
})

t.test('document types, entities and processing instructions are refused', async (t) => {
  for (const text of [
    '<!DOCTYPE a><a/>',
    '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    '<!DOCTYPE a SYSTEM "file:///etc/hostname"><a/>',
    '<?xml version="1.0"?><?xml-stylesheet href="a"?><a/>',
    '<a><?php ?></a>',
    '<a><!ENTITY b "c"></a>',
    '<a>&b;</a>',
    '<a b="&c;"/>',
    '<a/><!DOCTYPE a>',
    '<a>&constructor;</a>',
  ]) {
    t.equal(
      codeOf(() => readXml(text)),
      'DTD_FORBIDDEN',
      text,
    )
  }
})

t.test('what is not well-formed is refused', async (t) => {
  for (const text of [
    '',
    'a',
    '<a>',
    '<a></b>',
    '<a/><b/>',
    '<a b="1" b="2"/>',
    '<a xmlns:b="urn:x" xmlns:c="urn:x" b:d="1" c:d="2"/>',
    '<a xmlns:b="urn:x" xmlns:b="urn:y"/>',
    '<b:a/>',
    '<a b:c="1"/>',
    '<a xmlns:b=""/>',
    '<a xmlns:xml="urn:x"/>',
    '<a b=1/>',
    '<a b="<"/>',
    '<a b="1"c="2"/>',
    '<a>& b</a>',
    '<a>&#0;</a>',
    '<a>&#xD800;</a>',
    '<a>\u0001</a>',
    '<a>]]></a>',
    '<a><!-- -- --></a>',
    '<a><!-- </a>',
    '<a><![CDATA[ </a>',
    '<?xml version="1.1"?><a/>',
    '<a>text</a>more',
    '<ä/>',
  ]) {
    t.match(
      codeOf(() => readXml(text)),
      /^(MALFORMED_XML|DTD_FORBIDDEN)$/,
      text,
    )
  }
  t.equal(
    codeOf(() => readXml('<?xml version="1.0" encoding="utf-16"?><a/>')),
    'DTD_FORBIDDEN',
  )
  t.equal(
    codeOf(() => decodeXml(Uint8Array.of(0x3c, 0xff))),
    'MALFORMED_XML',
  )
  t.equal(decodeXml(new TextEncoder().encode('\ufeff<a>\r\n\r</a>')), '<a>\n\n</a>')
})

t.test('size, depth and counts are bounded, and hostile texts cost little', async (t) => {
  t.equal(
    codeOf(() => decodeXml(new Uint8Array(MAXIMUM_XML_OCTETS + 1))),
    'LIMIT_EXCEEDED',
  )
  const deep = (levels: number) => '<a>'.repeat(levels) + '</a>'.repeat(levels)
  t.equal(
    codeOf(() => readXml(deep(40))),
    'none',
  )
  t.equal(
    codeOf(() => readXml(deep(41))),
    'LIMIT_EXCEEDED',
  )
  const attributes = Array.from({ length: 17 }, (_, at) => ` a${at}=""`).join('')
  t.equal(
    codeOf(() => readXml(`<a${attributes}/>`)),
    'LIMIT_EXCEEDED',
  )
  t.equal(
    codeOf(() => readXml(`<a>${'<b/>'.repeat(160_000)}</a>`)),
    'LIMIT_EXCEEDED',
  )
  const start = cpuMs()
  for (const text of [
    `<a ${' '.repeat(2_000_000)}`,
    `<a>${'&'.repeat(2_000_000)}</a>`,
    `<a>${'<!---->'.repeat(300_000)}</a>`,
    `<${'a'.repeat(2_000_000)}`,
    `<a b="${'x'.repeat(2_000_000)}`,
  ]) {
    codeOf(() => readXml(text))
  }
  t.ok(cpuMs() - start < 5_000)
})
