/**
 * Signs a document for several people and seals it: PAdES baseline B-T (ETSI EN 319 142-1, 6.3).
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

import { writeAppearance } from '../appearance/appearance.ts'
import { readCertificate } from '../cms/certificate-reader.ts'
import { signedDataTemplate, type SignedDataTemplate } from '../cms/signed-data.ts'
import { PadesError } from '../errors.ts'
import { readDocument } from '../pdf/open.ts'
import { type PlannedSignature, planSigning, type SigningPlan } from './plan.ts'
import { fillSignature, type PreparedSignature, prepareSignature } from './prepared-signature.ts'
import type { Credential, SignedDocument, SignedRevision, SigningRequest } from './request.ts'
import { RunningDigests } from './running-digests.ts'
import { signatureDictionarySource, widgetSource } from './signature-dictionary.ts'
import { SignedFile } from './signed-file.ts'

/** Room for a token with its authority's certificates; most have 2 to 6 KB. */
const TIME_STAMP_BYTES = 4_096
/** Tokens of one authority differ by the lengths of serial number, nonce and signature. */
const TIME_STAMP_SLACK_BYTES = 64
/** The second try knows the size of the first token; the third is for authorities that change. */
const MAX_HOLE_TRIES = 3
const REVISION_ID_BYTES = 16

/** The state of one signing, which the steps take further in turn. */
interface SigningRun {
  readonly original: Uint8Array
  readonly request: SigningRequest
  readonly plan: SigningPlan
  /** Of the signers, in their order. */
  readonly credentials: Promise<readonly Credential[]>
  readonly digests: RunningDigests
  readonly revisions: SignedRevision[]
  /** Octets to reserve for a time-stamp token; 0 when there is none to come. */
  timeStampBytes: number
}

/** A credential with what it always says. */
interface Signatory {
  readonly credential: Credential
  readonly template: SignedDataTemplate
  readonly serial: string
}

interface Step {
  readonly name: string
  run(state: SigningRun): Promise<void> | void
}

/** What happens to the document; each step appends revisions and none goes back. */
const STEPS: readonly Step[] = [
  { name: 'addSignatureFields', run: addSignatureFields },
  { name: 'signForEachSigner', run: signForEachSigner },
  { name: 'seal', run: seal },
  // The document security store and the document time-stamp are the next steps of this table.
]

/**
 * Signs a document: revision 1 adds the fields, then each signer's signature and at last the seal
 * fill one field each, in revisions of their own. Earlier signatures of the document stay valid.
 *
 * The credentials of all signers are asked for at once, when it is certain that the document can
 * be signed; signatures and time-stamps follow one after the other.
 *
 * @param original not copied and not changed; it must not change as long as the result is in use
 * @throws PadesError `NOT_A_PDF`, `DAMAGED`, `ENCRYPTED`, `NO_PAGES`, `TOO_MANY_OBJECTS`,
 *   `LIMIT_EXCEEDED`, `CERTIFIED`, `LOCKED`, `DYNAMIC_XFA`, `PAGE_MISSING`, `BAD_PLACEMENT`,
 *   `NO_SIGNERS`, `BAD_CERTIFICATE`, `HOLE_TOO_SMALL`
 */
export async function signDocument(
  original: Uint8Array,
  request: SigningRequest,
): Promise<SignedDocument> {
  const plan = readDocument(original, (document) => planSigning(document, request))
  const credentials = Promise.all(request.signers.map(async (signer) => signer.credential()))
  // It is awaited after the hashing: until then a failure is nobody's.
  credentials.catch(() => undefined)
  const state: SigningRun = {
    original,
    request,
    plan,
    credentials,
    digests: new RunningDigests(),
    revisions: [],
    timeStampBytes: request.timeStamp ? (request.timeStampBytes ?? TIME_STAMP_BYTES) : 0,
  }
  for (const step of STEPS) await step.run(state)
  const sha256 = Buffer.from(state.digests.digestWith('sha256')).toString('hex')
  return new SignedFile(original, plan.update.tail, state.revisions, sha256)
}

/** Closes revision 1. The original is hashed here, once, while credentials are under way. */
function addSignatureFields({ original, plan, digests }: SigningRun): void {
  digests.update(original)
  const { start, end } = plan.update.endRevision(revisionId(digests))
  digests.update(plan.update.view(start, end))
}

async function signForEachSigner(state: SigningRun): Promise<void> {
  const { original, plan, digests, credentials } = state
  const signatories = (await credentials).map(signatoryOf)
  for (const { template } of signatories) {
    digests.include(template.hash, [original, plan.update.tail])
  }
  for (const planned of plan.signatures) {
    if (planned.signer !== undefined) {
      await appendSignature(state, planned, signatories[planned.signer])
    }
  }
}

async function seal(state: SigningRun): Promise<void> {
  const { original, plan, digests, request } = state
  if (!request.seal) return
  const signatory = signatoryOf(request.seal.credential)
  digests.include(signatory.template.hash, [original, plan.update.tail])
  for (const planned of plan.signatures) {
    if (planned.signer === undefined) await appendSignature(state, planned, signatory)
  }
}

function signatoryOf(credential: Credential): Signatory {
  const { certificates, algorithm } = credential
  const template = signedDataTemplate({ certificates, algorithm })
  const { serialNumberText: serial } = readCertificate(certificates[0])
  return { credential, template, serial }
}

/**
 * Appends one revision that fills one field. When the token of the time-stamp turns out larger than
 * the place for it, the revision is written and signed anew with more room.
 */
async function appendSignature(
  state: SigningRun,
  planned: PlannedSignature,
  { credential, template, serial }: Signatory,
): Promise<void> {
  const {
    request,
    plan: { update },
    digests,
    revisions,
  } = state
  const id = revisionId(digests)
  const dictionary = writeSignedField(state, planned)
  const mark = update.mark()
  for (let tries = 0; tries < MAX_HOLE_TRIES; tries += 1) {
    const source = signatureDictionarySource(
      { ...planned, signedAt: request.sealedAt },
      template.maxBytes(state.timeStampBytes),
    )
    const sourceStart = update.put(dictionary, 0, source.source)
    const revision = update.endRevision(id)
    const prepared = prepareSignature(update, digests, {
      fieldName: planned.fieldName,
      hash: template.hash,
      source,
      sourceStart,
      revision,
    })
    const cms = await makeCms(state, prepared, credential, template)
    if (cms.length <= prepared.holeBytes) {
      fillSignature(update, prepared, cms)
      digests.update(update.view(revision.start, revision.end))
      const { fieldName, byteRange } = prepared
      revisions.push({ fieldName, byteRange, endOffset: revision.end, certificateSerial: serial })
      return
    }
    update.rewind(mark)
  }
  throw new PadesError('HOLE_TOO_SMALL')
}

/** Writes the appearance and the field anew. @returns the number for its signature dictionary */
function writeSignedField({ plan }: SigningRun, planned: PlannedSignature): number {
  const { update, font } = plan
  const { fieldName, name, field, place, appearance } = planned
  const drawn = appearance && writeAppearance(update, font, appearance, place.size, place.matrix)
  const signature = update.reserve()
  const { rect: rectangle, page } = place
  update.put(
    field,
    0,
    widgetSource({
      fieldName,
      label: name,
      rectangle,
      page,
      signature,
      ...(drawn !== undefined && { appearance: drawn }),
    }),
  )
  return signature
}

async function makeCms(
  state: SigningRun,
  prepared: PreparedSignature,
  credential: Credential,
  template: SignedDataTemplate,
): Promise<Uint8Array> {
  const attributes = template.signedAttributes(Buffer.from(prepared.messageDigest, 'hex'))
  const value = await credential.sign(attributes)
  const { timeStamp } = state.request
  if (!timeStamp) return template.encode(attributes, value)
  const token = await timeStamp(createHash('sha256').update(value).digest())
  state.timeStampBytes = reservedFor(token, state)
  return template.encode(attributes, value, token)
}

/** The first token tells how large the next ones will be. */
function reservedFor(token: Uint8Array, { revisions, timeStampBytes }: SigningRun): number {
  const wanted = token.length + TIME_STAMP_SLACK_BYTES
  return revisions.length === 0 ? wanted : Math.max(wanted, timeStampBytes)
}

/** Sixteen bytes that follow from all the bytes before: no other revision has them. */
function revisionId(digests: RunningDigests): Uint8Array {
  return digests.digestWith('sha256').subarray(0, REVISION_ID_BYTES)
}
