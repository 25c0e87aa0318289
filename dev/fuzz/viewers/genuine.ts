/** Signatures and time-stamps of an attacker, made with trusted keys: their values are right. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { signedDataTemplate } from '../../../pades/cms/signed-data.ts'
import { lubos, stamp } from '../../../test/fixtures/pki.ts'
import { add } from './attacker.ts'
import { type Base, objectsOf } from './base.ts'
import { addWidget } from './feature-changes.ts'
import type { Plan } from './revision.ts'

const RESERVED_BYTES = 8_000
/** Keeps its length when it is filled in. */
const RANGE_PLACE = '/ByteRange [0 0000000000 0000000000 0000000000]'
const HOLE = `<${'0'.repeat(2 * RESERVED_BYTES)}>`

/** Kinds of signatures: of a person, or a document time-stamp. */
export type SignatureKind = 'signature' | 'time-stamp'

const SIGNATURE_ENTRIES: Readonly<Record<SignatureKind, string>> = {
  signature: '/Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /Name (Late)',
  'time-stamp': '/Type /DocTimeStamp /Filter /Adobe.PPKLite /SubFilter /ETSI.RFC3161',
}

/**
 * Adds a signature dictionary to the plan, to be filled by {@link fillSignature}.
 *
 * @returns its object number
 */
export function planSignature(plan: Plan, base: Base, kind: SignatureKind): number {
  return add(plan, base, `<< ${SIGNATURE_ENTRIES[kind]} ${RANGE_PLACE} /Contents ${HOLE} >>`)
}

/**
 * Adds a signature and its field to the plan.
 *
 * @param paints entries of the field that decide what is shown
 */
export function planSignedField(
  plan: Plan,
  base: Base,
  kind: SignatureKind,
  paints: string,
  name: string,
): void {
  const signature = planSignature(plan, base, kind)
  const page = objectsOf(base, 'page')[0]?.number
  const field = add(
    plan,
    base,
    `<< /FT /Sig /T (${name}) /Type /Annot /Subtype /Widget ${paints}` +
      ` /P ${page} 0 R /V ${signature} 0 R >>`,
  )
  addWidget(plan, base, field, true)
}

/**
 * As {@link planSignedField}, with a widget that is an object of its own.
 *
 * @param ofField entries that the field has and its widget does not
 */
export function planSeparateField(
  plan: Plan,
  base: Base,
  kind: SignatureKind,
  paints: string,
  ofField: string,
): void {
  const signature = planSignature(plan, base, kind)
  const page = objectsOf(base, 'page')[0]?.number
  const field = add(plan, base, 'null')
  const widget = add(
    plan,
    base,
    `<< /Type /Annot /Subtype /Widget /Parent ${field} 0 R ${paints} /P ${page} 0 R >>`,
  )
  const entry = plan.objects.find(({ number }) => number === field)
  if (entry) entry.body = `<< /FT /Sig ${ofField} /Kids [${widget} 0 R] /V ${signature} 0 R >>`
  addWidget(plan, base, { field, widget }, true)
}

async function cmsOf(digest: Uint8Array): Promise<Uint8Array> {
  const { certificates, algorithm } = lubos
  const template = signedDataTemplate({ certificates, algorithm })
  const attributes = template.signedAttributes(digest)
  const value = await lubos.sign(attributes)
  const token = await stamp(createHash('sha256').update(value).digest())
  return template.encode(attributes, value, token)
}

/**
 * Fills the byte range and the contents of the last signature of a file.
 *
 * @returns the same file; unchanged when it has no signature to fill behind `start`
 */
export async function fillSignature(
  file: Buffer,
  kind: SignatureKind,
  start: number,
): Promise<Buffer> {
  const rangeAt = file.lastIndexOf(RANGE_PLACE)
  const holeAt = file.lastIndexOf(HOLE)
  // A change may have written the field or the signature away.
  if (rangeAt < start || holeAt < start) return file
  const end = holeAt + HOLE.length
  const numbers = [holeAt, end, file.length - end].map((one) => String(one).padStart(10, '0'))
  file.write(`/ByteRange [0 ${numbers.join(' ')}]`, rangeAt, 'latin1')
  const digest = createHash('sha256')
    .update(file.subarray(0, holeAt))
    .update(file.subarray(end))
    .digest()
  const contents = kind === 'time-stamp' ? await stamp(digest) : await cmsOf(digest)
  file.write(Buffer.from(contents).toString('hex'), holeAt + 1, 'latin1')
  return file
}
