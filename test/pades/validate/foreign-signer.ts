/** Revisions that somebody with a trusted certificate and software of their own appends. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { signedDataTemplate } from '../../../pades/cms/signed-data.ts'
import type { SignedDataOptions } from '../../../pades/cms/signed-data.ts'
import { appended, referenceIn, sourceOf } from '../../fixtures/revisions.ts'
import { lubos, stamp } from '../../fixtures/pki.ts'

/** Numbers that no sample uses. */
export const SIGNATURE = 1998
export const FIELD = 1900
const PAGE = 10

type Content = SignedDataOptions['content']

/** Octets for the token of the time-stamp. */
const TOKEN_BYTES = 6_000
const NUMBER_PLACE = '0'.repeat(10)

const templateWith = (content?: Content) => {
  const { certificates, algorithm } = lubos
  return signedDataTemplate({ certificates, algorithm, ...(content && { content }) })
}

/**
 * Appends a revision with a signature dictionary of the number {@link SIGNATURE} and signs it.
 *
 * @param entries of the signature dictionary
 * @param behind what follows the dictionary, as the data of a stream do
 * @param spellRange writes the byte range in another way
 * @param content what is inside the CMS; the signature is detached without it
 * @param isDirect whether the dictionary is the value of the field {@link FIELD} itself
 * @param makeContents makes the octets of `/Contents` for the signed octets; when absent a CMS with
 *   a time-stamp
 */
export async function appendSigned(
  file: Buffer,
  objects: Record<number, string>,
  {
    entries = '',
    behind = '',
    spellRange = (range: string): string => range,
    content = undefined as Content | undefined,
    subFilter = 'ETSI.CAdES.detached',
    isDirect = false,
    makeContents = (signed: Buffer): Promise<Uint8Array> => makeStamped(signed, content),
  } = {},
): Promise<Buffer> {
  const contents = '0'.repeat(2 * templateWith(content).maxBytes(TOKEN_BYTES))
  const range = spellRange(Array<string>(4).fill(NUMBER_PLACE).join(' '))
  const dictionary =
    `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /${subFilter} /M (D:20260101000000Z)` +
    ` /ByteRange [${range}] /Contents <${contents}> ${entries} >>${behind}`
  const field = objects[FIELD]?.replace(`${SIGNATURE} 0 R`, dictionary) ?? ''
  const [number, source] = isDirect ? [FIELD, field] : [SIGNATURE, dictionary]
  const signed = appended(file, { ...objects, [number]: source })
  const start = signed.indexOf('/Contents <0000', file.length) + '/Contents '.length
  const end = signed.indexOf('>', start) + 1
  const numbers = [0, start, end, signed.length - end]
  const places = numbers.map((place) => String(place).padStart(NUMBER_PLACE.length, '0'))
  const rangeAt = signed.indexOf('/ByteRange [', file.length) + '/ByteRange ['.length
  signed.write(spellRange(places.join(' ')), rangeAt, 'latin1')
  const parts = [signed.subarray(0, start), signed.subarray(end)]
  const octets = await makeContents(Buffer.concat(parts))
  signed.write(Buffer.from(octets).toString('hex'), start + 1, 'latin1')
  return signed
}

async function makeStamped(signed: Buffer, content: Content): Promise<Uint8Array> {
  const template = templateWith(content)
  const digest = createHash(template.hash).update(signed).digest()
  const attributes = template.signedAttributes(digest)
  const value = await lubos.sign(attributes)
  const token = await stamp(createHash('sha256').update(value).digest())
  return template.encode(attributes, value, token)
}

/** The form and the first page with a new field of the number {@link FIELD}. */
export function withFieldOnPage(file: Buffer, field: string): Record<number, string> {
  const catalog = sourceOf(file, 1)
  const number = referenceIn(catalog, 'AcroForm')
  const [owner, source] = Number.isNaN(number) ? [1, catalog] : [number, sourceOf(file, number)]
  const withItem = (key: string, text: string) =>
    text.replace(new RegExp(`(/${key} \\[[^\\]]*)\\]`), `$1 ${FIELD} 0 R]`)
  return {
    [owner]: withItem('Fields', source),
    [PAGE]: withItem('Annots', sourceOf(file, PAGE)),
    [FIELD]: `<< /FT /Sig /T (New) /Type /Annot /Subtype /Widget /P ${PAGE} 0 R ${field} >>`,
  }
}
