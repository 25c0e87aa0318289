/** Makes the signed PDF in memory; only the caller stores it. */
import {
  nameRightValues,
  PADES_ERRORS,
  signDocument,
  type Credential,
  type SignedDocument,
} from '../../pades/index.ts'
import type { ObjectReader } from '../../application/store/folder-snapshot.ts'
import { tryCanary } from '../canary.ts'
import { oneTimeCredentials } from './credentials.ts'
import { DocumentFault } from './fault.ts'
import { readInputs, type SigningInputs } from './inputs.ts'
import { measuredStep } from './measured-step.ts'
import {
  InvalidOutputError,
  readFreshOutput,
  type OutputDeps,
  type OwnOutput,
} from './own-output.ts'
import { sealingRequest } from './sealing.ts'
import type { FinaliseDeps, SignedByAll } from './signed-by-all.ts'
import { signerRequest } from './signers.ts'

async function sign(
  { original, drawn, signing }: SigningInputs,
  { key }: SignedByAll,
  deps: FinaliseDeps,
): Promise<SignedDocument> {
  const sealing = await sealingRequest(deps)
  const participants = signing.map(({ participant }) => participant)
  let made: Promise<Credential[]> | undefined
  // Not before the library asks for one: then it is certain that the document can be signed.
  const credentialAt = async (index: number) => {
    made ??= oneTimeCredentials(participants, key, deps, sealing.sealedAt)
    return (await made)[index] as Credential
  }
  const signers = signing.map(({ fact, participant, drawing }, index) =>
    signerRequest(fact, participant, drawing, () => credentialAt(index)),
  )
  return signDocument(original, { signers, drawn, ...sealing })
}

/** @throws InvalidOutputError when a verifier would not accept the signed PDF */
async function validate(
  signed: SignedDocument,
  { original, signing }: SigningInputs,
  deps: OutputDeps,
): Promise<OwnOutput> {
  // The engine of the sandbox takes seven times as long for a value.
  const rightValues = nameRightValues(signed.containers)
  const output = await readFreshOutput(signed, original.bytes.length, { ...deps, rightValues })
  const { signatures } = output
  const people = new Set(signatures.map(({ participantId }) => participantId))
  // A participant may have several signatures when the document was signed before (decision 4). The
  // seal has no participant.
  const isWhole = signatures.length === signed.revisions.length
  if (isWhole && people.size === signing.length + 1) return output
  throw new InvalidOutputError(
    `the signed PDF has an unexpected number of signatures: ${signatures.length}`,
  )
}

/**
 * Validates the signed PDF; one that does not validate is never handed out. The document is only at
 * fault when it fails again after a canary passed, because the cause of the first failure may have
 * been temporary (keys, authority or clock).
 *
 * @param signAgain makes the signed PDF anew, for the second attempt
 */
async function validateOwnOutput(
  signed: SignedDocument,
  inputs: SigningInputs,
  signAgain: () => Promise<SignedDocument>,
  deps: FinaliseDeps & OutputDeps,
): Promise<OwnOutput> {
  try {
    return await validate(signed, inputs, deps)
  } catch (error) {
    if (!(error instanceof InvalidOutputError)) throw error
    if ((await tryCanary(deps)).outcome === 'failed') throw error
  }
  const again = await signAgain()
  try {
    return await validate(again, inputs, deps)
  } catch (cause) {
    if (!(cause instanceof InvalidOutputError)) throw cause
    const reason = PADES_ERRORS.DEFIES_SIGNING
    throw new DocumentFault({ code: 'DOCUMENT_UNSIGNABLE', reason }, { cause })
  }
}

/**
 * Signs for all participants, seals and validates. A failed step leaves only recorded certificates
 * behind, which the job that seals the trail revokes.
 *
 * @param folder a listing of the folder of the case
 * @throws DocumentFault | PadesError | AuditTrailError when the document, an input or the trail is
 *   at fault; see `documentFaultOf`
 * @throws Error when a key, an authority, the sandbox or a store fails; a retry can succeed
 */
export async function makeSignedPdf(
  all: SignedByAll,
  folder: ObjectReader,
  deps: FinaliseDeps,
): Promise<OwnOutput> {
  const inputs = await measuredStep('read-inputs', () => readInputs(all, folder, deps), deps)
  const signInputs = () => sign(inputs, all, deps)
  const signed = await measuredStep('sign', signInputs, deps)
  const output = { ...deps, owner: all.key.tenant }
  const validateSigned = () => validateOwnOutput(signed, inputs, signInputs, output)
  const made = await measuredStep('validate-own-output', validateSigned, deps)
  const shown = inputs.signing.map(({ fact, drawing }) => [fact.drawing.sha256, drawing] as const)
  return { ...made, madeFrom: { drawings: new Map(shown) } }
}
