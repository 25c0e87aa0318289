/**
 * What a composed document says about itself: information dictionary and XMP (ISO 32000-2, 14.3;
 * ISO 16684-1).
 */
import { Buffer } from 'node:buffer'

import { cleanText } from '../appearance/text.ts'
import type { FileWriter } from './file-writer.ts'
import type { DocumentContent } from './model.ts'

const PRODUCER = 'sigcase'

/** A text string as UTF-16 with its byte order mark, in hexadecimal (7.9.2.2). */
export function textString(text: string): string {
  return `<feff${Buffer.from(cleanText(text), 'utf16le').swap16().toString('hex')}>`
}

/** A date in UTC (7.9.4). */
export function dateString(date: Date): string {
  return `(D:${date.toISOString().replace(/\.\d+Z$/, '').replace(/\D/g, '')}Z)`
}

/** Writes both descriptions, which say the same, and returns their object numbers. */
export function writeMetadata(
  writer: FileWriter,
  content: DocumentContent,
): { info: number; metadata: number } {
  const { title, subject, author, createdAt } = content
  const date = dateString(createdAt)
  const subjectEntry = subject === undefined ? '' : ` /Subject ${textString(subject)}`
  const info = writer.add(
    `<< /Title ${textString(title)}${subjectEntry} /Author ${textString(author)}`
      + ` /Creator (${PRODUCER}) /Producer (${PRODUCER})`
      + ` /CreationDate ${date} /ModDate ${date} >>`,
  )
  const metadata = writer.add('<< /Type /Metadata /Subtype /XML >>', Buffer.from(xmp(content)))
  return { info, metadata }
}

function xmp({ language, title, subject, author, createdAt }: DocumentContent): string {
  const date = createdAt.toISOString().replace(/\.\d+Z$/, 'Z')
  const alternatives = (text: string): string =>
    `<rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(text)}</rdf:li></rdf:Alt>`
  const description = subject === undefined
    ? ''
    : `<dc:description>${alternatives(subject)}</dc:description>\n`
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<dc:format>application/pdf</dc:format>
<dc:title>${alternatives(title)}</dc:title>
${description}<dc:creator><rdf:Seq><rdf:li>${escapeXml(author)}</rdf:li></rdf:Seq></dc:creator>
<dc:language><rdf:Bag><rdf:li>${language}</rdf:li></rdf:Bag></dc:language>
<xmp:CreatorTool>${PRODUCER}</xmp:CreatorTool>
<xmp:CreateDate>${date}</xmp:CreateDate>
<xmp:ModifyDate>${date}</xmp:ModifyDate>
<xmp:MetadataDate>${date}</xmp:MetadataDate>
<pdf:Producer>${PRODUCER}</pdf:Producer>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>`
}

function escapeXml(text: string): string {
  return cleanText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
