/** A case as one of its participants sees it (specification 2.11). */
import { documentKey, outcomeKey } from '../../domain/cases/keys.ts'
import type { ParticipantView } from '../../domain/cases/lifecycle.ts'
import { signedPlaces, withoutPageSize } from '../../domain/cases/signed-places.ts'
import { CURRENT_CONSENTS } from '../../domain/consent.ts'
import type { CaseDefinitionAnswer } from '../../domain/contract/participant-answers.ts'
import type { SecondFactor } from '../../domain/second-factor/factor.ts'
import type { ApiDeps } from '../deps.ts'
import type { ObservedCase } from '../../application/cases/read-case.ts'
import { describeDocument, presentDocument, presentParticipantCore } from './case.ts'
import { documentNames } from '../../domain/cases/document-names.ts'

/** The number of a participant among those without predefined fields. */
function placeNumberOf(
  { definition }: ParticipantView,
  participants: readonly ParticipantView[],
): { number?: number } {
  const choosing = participants.filter((one) => one.definition.signatureFields.length === 0)
  const number = choosing.findIndex((one) => one.definition.id === definition.id)
  return number < 0 ? {} : { number }
}

/** Where the others have signed, or are going to sign. */
function takenPlaces({ definition }: ParticipantView, participants: readonly ParticipantView[]) {
  const others = participants.filter((one) => one.definition.id !== definition.id)
  return others.flatMap((one) =>
    signedPlaces(one.signature ?? {}, one.definition).map(withoutPageSize),
  )
}

/**
 * Other participants are counted, not named.
 *
 * @param missing what has to be shown before the document has a link
 */
export async function presentCaseDefinition(
  { key, signatureCase, view }: ObservedCase,
  participant: ParticipantView,
  missing: SecondFactor | undefined,
  deps: Pick<ApiDeps, 'objects' | 'now'>,
): Promise<CaseDefinitionAnswer> {
  const { definition } = signatureCase.spec
  const { document, signedDocument } = signatureCase.status ?? {}
  if (!document) throw new Error('the case has no document')
  const names = documentNames(definition.title)
  const signed = view.phase === 'DONE' ? signedDocument : undefined
  const shown = signed
    ? { objectKey: outcomeKey(key), stored: { ...signed, name: names.signed } }
    : { objectKey: documentKey(key), stored: { ...document, name: names.original } }
  const { language } = participant.definition
  const { title, validUntil, ownPlaces = true } = definition
  const { multiFactorType, sender: { name } = {} } = definition
  return {
    status: view.phase,
    ...(multiFactorType === undefined ? {} : { multiFactorType }),
    otpRequired: missing === 'code',
    pinRequired: missing === 'pin',
    case: { id: key.caseId, title, validUntil, ownPlaces },
    participant: presentParticipantCore(participant),
    participants: {
      total: view.participants.length,
      signed: view.participants.filter(({ signature }) => signature).length,
    },
    places: {
      ...placeNumberOf(participant, view.participants),
      taken: missing ? [] : takenPlaces(participant, view.participants),
    },
    ...(name === undefined ? {} : { sender: { name } }),
    document: {
      ...(missing
        ? describeDocument(shown.stored)
        : await presentDocument(shown.objectKey, shown.stored, deps)),
      pageCount: document.pageCount,
    },
    language,
    consentText: CURRENT_CONSENTS[language],
    consentTexts: CURRENT_CONSENTS,
  }
}
