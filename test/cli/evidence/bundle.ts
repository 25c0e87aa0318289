/** A signed PDF and its sealed evidence, made with the keys of the tests, to be tampered with. */
import { createHash } from 'node:crypto'
import type { AuditEntry, AuditEvent } from '../../../domain/audit/entry.ts'
import { eventOf } from '../../../domain/audit/entry.ts'
import type { ParticipantDefinition } from '../../../domain/cases/definition.ts'
import {
  composeDocument,
  readDrawing,
  signDocument,
  validateSignatures,
  type DocumentContent,
  type SignerRequest,
} from '../../../pades/index.ts'
import type { AuditFile } from '../../../workers/evidence/audit-file.ts'
import { evidenceContent } from '../../../workers/evidence/build-evidence.ts'
import type { EvidenceInput } from '../../../workers/evidence/input.ts'
import { fieldNameOf, SEAL_FIELD_NAME, SEAL_NAME } from '../../../workers/finalise/signers.ts'
import { NOW, root, seal, signer, silentLongTerm, stamp } from '../../fixtures/pki.ts'
import { participant } from '../../fixtures/signature-case.ts'
import { evidenceInput, trailOf } from '../../workers/evidence/sample.ts'

export const PARTICIPANTS = [participant(1), participant(2)]
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const sealRequest = {
  fieldName: SEAL_FIELD_NAME,
  name: SEAL_NAME,
  credential: {
    certificates: seal.certificates,
    algorithm: seal.algorithm,
    sign: (data: Uint8Array) => seal.sign(data),
  },
}

/** Adds the seal of the service, and what makes it last unless it is cut off. */
export async function sealed(pdf: Uint8Array, isCutOff = false): Promise<Uint8Array> {
  const { bytes } = await signDocument(pdf, {
    signers: [],
    seal: sealRequest,
    sealedAt: NOW,
    timeStamp: (digest) => stamp(digest),
    ...(isCutOff ? {} : { longTerm: silentLongTerm }),
  })
  return bytes
}

async function buildSigner(
  one: ParticipantDefinition,
  position: number,
  places = 1,
): Promise<SignerRequest> {
  const name = `${one.firstName} ${one.lastName}`
  const key = await signer(name, { subject: { commonName: name, serialNumber: one.id } })
  return {
    fieldName: fieldNameOf(one.id),
    name,
    places: Array.from({ length: places }, (_, at) => {
      return {
        page: 1,
        x: 40 + 200 * position,
        y: 700 - 60 * at,
        width: 160,
        height: 50,
        unit: 'pt',
      }
    }),
    appearance: { drawing: readDrawing('M 0 0 L 10 10 L 20 0'), lines: [name] },
    credential: () => ({
      certificates: key.certificates,
      algorithm: key.algorithm,
      sign: (data) => key.sign(data),
    }),
  }
}

export interface Bundle {
  original: Uint8Array
  signed: Uint8Array
  input: EvidenceInput
  evidence: Uint8Array
}

/** A document that participants and the service signed, with the serial numbers of the former. */
export async function signedByAll(
  original: Uint8Array,
  options: { stamped?: boolean; places?: number } = {},
) {
  const { stamped = true, places } = options
  const signers = await Promise.all(
    PARTICIPANTS.map((one, position) => buildSigner(one, position, places)),
  )
  const { bytes } = await signDocument(original, {
    signers,
    seal: sealRequest,
    sealedAt: NOW,
    ...(stamped ? { timeStamp: (digest: Uint8Array) => stamp(digest) } : {}),
  })
  const { signatures } = await validateSignatures(bytes, {
    trustAnchors: [root.certificate],
    validationTime: NOW,
  })
  const serials = PARTICIPANTS.map(({ id }) => {
    return signatures.find(({ fieldName }) => fieldName === fieldNameOf(id))?.signer?.serialNumber
  })
  return { bytes, serials }
}

/** A document of one page. */
export function plainPdf(title: string): Promise<Uint8Array> {
  const blocks = [{ kind: 'paragraph', text: title }] as const
  return composeDocument({
    language: 'en',
    title,
    author: 'test',
    createdAt: NOW,
    blocks,
    attachments: [],
  })
}

export async function bundle(
  title = 'Contract',
  options: { stamped?: boolean; places?: number; isSealedBefore?: boolean } = {},
): Promise<Bundle> {
  const plain = await plainPdf(title)
  const original = options.isSealedBefore ? await sealed(plain) : plain
  const { bytes: signed, serials } = await signedByAll(original, options)
  const certificates = Object.fromEntries(
    PARTICIPANTS.map(({ id, firstName, lastName }, index) => [
      id,
      {
        certificateSubject: `CN=${firstName} ${lastName}`,
        certificateSerial: serials[index] as string,
      },
    ]),
  )
  const input = evidenceInput({
    participants: PARTICIPANTS,
    originalSha256: sha256Of(original),
    originalSize: original.length,
    signedSha256: sha256Of(signed),
    certificates,
    rootCertificate: root.certificate,
  })
  const evidence = await sealed(await composeDocument(evidenceContent(input)))
  return { original, signed, input, evidence }
}

/** Evidence whose attachment says something else, sealed again with the real key. */
export async function forged(
  input: EvidenceInput,
  name: string,
  change: (text: string) => string,
): Promise<Uint8Array> {
  return sealed(await unsealed(input, name, change))
}

/** The same without a seal. */
export function unsealed(
  input: EvidenceInput,
  name: string,
  change: (text: string) => string,
): Promise<Uint8Array> {
  const content: DocumentContent = evidenceContent(input)
  const attachments = content.attachments.map((file) => {
    if (file.name !== name) return file
    const text = change(new TextDecoder().decode(file.bytes))
    return { ...file, bytes: new TextEncoder().encode(text) }
  })
  return composeDocument({ ...content, attachments })
}

/** Evidence whose trail was edited as JSON, its hashes left as they were. */
export function withTrail(input: EvidenceInput, edit: (file: AuditFile) => unknown) {
  return forged(input, 'audit.json', (text) => JSON.stringify(edit(JSON.parse(text))))
}

/** Evidence with a chain that is whole, over other events: what only the service could forge. */
export async function withEvents(
  input: EvidenceInput,
  edit: (events: AuditEvent[], entries: readonly AuditEntry[]) => AuditEvent[],
): Promise<Uint8Array> {
  const { entries, openings } = input.trail
  const events = entries.map((entry) => eventOf(entry, openings[entry.eventId]))
  const trail = trailOf(edit(events, entries))
  return sealed(await composeDocument(evidenceContent({ ...input, trail })))
}
