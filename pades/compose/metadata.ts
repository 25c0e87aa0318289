/** Metadata of a composed document for programs (ISO 32000-2, 14.3.2). */
import { Buffer } from 'node:buffer'
import { type PDFDocument, PDFName } from 'pdf-lib'

import { cleanText } from '../appearance/text.ts'
import type { DocumentContent } from './model.ts'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string) => cleanText(text).replace(/[&<>]/g, (letter) => ENTITIES[letter])
/** Without fractions of a second, as the information dictionary has it. */
const secondsOf = (instant: Date) => `${instant.toISOString().slice(0, 19)}Z`

/**
 * Says what the document is, and that it conforms to PDF/UA-1 (ISO 14289-1, clause 5; decision 245
 * has the rules that tests check).
 */
export function writeMetadata(
  { context, catalog }: PDFDocument,
  { title, author, createdAt, language }: DocumentContent,
  producer: string,
): void {
  const date = secondsOf(createdAt)
  const packet = `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<pdfuaid:part>1</pdfuaid:part>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escaped(title)}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>${escaped(author)}</rdf:li></rdf:Seq></dc:creator>
<dc:language><rdf:Bag><rdf:li>${language}</rdf:li></rdf:Bag></dc:language>
<xmp:CreateDate>${date}</xmp:CreateDate>
<xmp:ModifyDate>${date}</xmp:ModifyDate>
<xmp:CreatorTool>${producer}</xmp:CreatorTool>
<pdf:Producer>${producer}</pdf:Producer>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>`
  const stream = context.stream(Buffer.from(packet, 'utf8'), { Type: 'Metadata', Subtype: 'XML' })
  catalog.set(PDFName.of('Metadata'), context.register(stream))
}
