/**
 * Signs a document for several people and seals it, up to PAdES baseline B-LTA (ETSI EN 319 142-1,
 * 6.3).
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

import { writeAppearance } from '../appearance/appearance.ts'
import { shaperFor } from '../appearance/font.ts'
import { type Certificate, readCertificate } from '../cms/certificate-reader.ts'
import { signedDataTemplate, type SignedDataTemplate } from '../cms/signed-data.ts'
import { readTimeStampToken } from '../cms/time-stamp-reader.ts'
import type { IncrementalUpdate } from '../pdf/incremental-update.ts'
import { readDocument } from '../pdf/open.ts'
import { closeRevision, closeWithContents, writeSignedField } from './filled-field.ts'
import { type PlannedSignature, planSigning, type SigningPlan } from './plan.ts'
import type { Credential, SignedDocument, SignedRevision, SigningRequest } from './request.ts'
import { type DigestedFile, HashedFile, type RunningDigests } from './running-digests.ts'
import { writeSecurityStore } from './security-store.ts'
import { signatureDictionarySource } from './signature-dictionary.ts'
import { SignedFile } from './signed-file.ts'
import {
  TIME_STAMP_BYTES,
  TIME_STAMP_SLACK_BYTES,
  timeStampDocument,
} from './time-stamp-document.ts'
import { gatherValidationData, type SignatureToKeep } from './validation-data.ts'

/** The state of one signing, which the steps take further in turn. */
interface SigningRun {
  readonly original: Uint8Array
  readonly request: SigningRequest
  readonly plan: SigningPlan
  /** Credentials of the signers, in signing order. */
  readonly credentials: Promise<readonly Credential[]>
  readonly update: IncrementalUpdate
  readonly digests: RunningDigests
  readonly revisions: SignedRevision[]
  readonly containers: Uint8Array[]
  /** What the validation data are for. */
  readonly kept: SignatureToKeep[]
  /** Octets to reserve for a time-stamp token; 0 when there is none to come. */
  timeStampBytes: number
}

/** A credential with what it always says. */
interface Signatory {
  readonly credential: Credential
  readonly template: SignedDataTemplate
  /** The signer's first. */
  readonly certificates: readonly Certificate[]
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
  { name: 'storeValidationData', run: storeValidationData },
  { name: 'timeStampDocument', run: stampDocument },
]

/**
 * Signs a document: revision 1 adds the fields, then each signer's signature and at last the seal
 * fill one field each, in revisions of their own. Earlier signatures of the document stay valid.
 * With `longTerm` follow one document security store for all of them and one document time-stamp.
 *
 * The credentials of all signers are asked for at once, when it is certain that the document can
 * be signed; signatures and time-stamps follow one after the other.
 *
 * @param original not copied and not changed; it must not change as long as the result is in use.
 *   One that was hashed already is not hashed again
 * @throws PadesError `NOT_A_PDF`, `DAMAGED`, `DAMAGED_AND_SIGNED`, `ENCRYPTED`, `NO_PAGES`,
 *   `TOO_MANY_OBJECTS`, `LIMIT_EXCEEDED`, `CERTIFIED`, `LOCKED`, `DYNAMIC_XFA`, `PAGE_MISSING`,
 *   `BAD_PLACEMENT`, `NO_SIGNERS`, `BAD_CERTIFICATE`, `BAD_TIME_STAMP`, `HOLE_TOO_SMALL`,
 *   `REVOCATION_DATA_MISSING`, `CERTIFICATE_REVOKED`, and what credentials, time-stamps and
 *   revocation source throw
 */
export async function signDocument(
  original: Uint8Array | HashedFile,
  request: SigningRequest,
): Promise<SignedDocument> {
  return runSteps(original, request, [])
}

/**
 * As {@link signDocument}.
 *
 * @param existing what is to last of the signatures that are there
 * @param planned writes revision 1
 */
export async function runSteps(
  file: Uint8Array | DigestedFile,
  request: SigningRequest,
  existing: readonly SignatureToKeep[],
  planned = planSigning,
): Promise<SignedDocument> {
  const original = file instanceof Uint8Array ? file : file.bytes
  // Latin names need none, and nothing is awaited for them.
  const loading = shaperFor(request.signers.flatMap(({ appearance }) => appearance.lines))
  const shaper = loading && (await loading)
  const plan = readDocument(original, (document) => planned(document, request, shaper))
  const credentials = Promise.all(request.signers.map(async (signer) => signer.credential()))
  // Awaited after the hashing; avoids an unhandled rejection.
  credentials.catch(() => undefined)
  const state: SigningRun = {
    original,
    request,
    plan,
    credentials,
    update: plan.update,
    digests: (file instanceof Uint8Array ? new HashedFile(file) : file).digests(),
    revisions: [],
    containers: [],
    kept: [...existing],
    timeStampBytes: request.timeStamp ? (request.timeStampBytes ?? TIME_STAMP_BYTES) : 0,
  }
  for (const step of STEPS) await step.run(state)
  const sha256 = Buffer.from(state.digests.digestWith('sha256')).toString('hex')
  const { revisions, containers } = state
  return new SignedFile(original, { tail: plan.update.tail, revisions, containers, sha256 })
}

/** Closes revision 1, while credentials are under way. */
function addSignatureFields(state: SigningRun): void {
  closeRevision(state)
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
  return { credential, template, certificates: certificates.map(readCertificate) }
}

/**
 * Appends one revision that fills one field. When the token of the time-stamp turns out larger than
 * the place for it, the revision is written and signed anew with more room.
 */
async function appendSignature(
  state: SigningRun,
  planned: PlannedSignature,
  signatory: Signatory,
): Promise<void> {
  const { request, plan, update, revisions, containers, kept } = state
  const { template, certificates } = signatory
  const { fieldName, appearance, place } = planned
  const drawn =
    appearance && writeAppearance(update, plan.font, appearance, place.size, place.matrix)
  let token: Uint8Array | undefined
  const { byteRange, endOffset, contents } = await closeWithContents(state, {
    fieldName,
    dictionary: writeSignedField(state, planned, drawn),
    hash: template.hash,
    sourceOf: () =>
      signatureDictionarySource(
        { ...planned, signedAt: request.sealedAt },
        template.maxBytes(state.timeStampBytes),
      ),
    async signContents(messageDigest) {
      const attributes = template.signedAttributes(messageDigest)
      const value = await signatory.credential.sign(attributes)
      if (!request.timeStamp) return template.encode(attributes, value)
      token = await request.timeStamp(createHash('sha256').update(value).digest())
      state.timeStampBytes = reservedFor(token, state)
      return template.encode(attributes, value, token)
    },
  })
  const certificateSerial = certificates[0].serialNumberText
  revisions.push({ fieldName, byteRange, endOffset, certificateSerial })
  containers.push(contents)
  if (request.longTerm) kept.push(toKeep(contents, certificates, token))
}

function toKeep(
  contents: Uint8Array,
  certificates: readonly Certificate[],
  token: Uint8Array | undefined,
): SignatureToKeep {
  const stamp = token && readTimeStampToken(token)
  return {
    contents,
    leaves: [certificates[0], ...(stamp?.certificate ? [stamp.certificate] : [])],
    carried: [...certificates, ...(stamp?.signedData.certificates ?? [])],
  }
}

/** The first token shows how large the next ones will be. */
function reservedFor(token: Uint8Array, { revisions, timeStampBytes }: SigningRun): number {
  const neededBytes = token.length + TIME_STAMP_SLACK_BYTES
  return revisions.length === 0 ? neededBytes : Math.max(neededBytes, timeStampBytes)
}

/** One store for all signers and authorities. */
async function storeValidationData(state: SigningRun): Promise<void> {
  const { request, plan, update, kept } = state
  if (!request.longTerm) return
  const given = (request.longTerm.certificates ?? []).map(readCertificate)
  const { revocation } = request.longTerm
  const data = await gatherValidationData(kept, given, revocation, request.sealedAt)
  writeSecurityStore(plan.document, update, plan.catalog, data)
  closeRevision(state)
}

async function stampDocument(state: SigningRun): Promise<void> {
  const { request, plan, timeStampBytes, containers } = state
  if (!plan.timeStamp || !request.timeStamp) return
  const { timeStamp } = request
  containers.push(await timeStampDocument(state, plan.timeStamp, timeStamp, timeStampBytes))
}
