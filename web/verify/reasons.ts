/** Why a signature is not valid, or cannot be confirmed, in words that anybody understands. */
import type { Texts } from '../texts/en.ts'
import type { SignatureReport } from './verdict.ts'

type Reason = Extract<keyof Texts, `why${string}`>

/** By sub-indication (EN 319 102-1). */
const REASONS: Readonly<Record<string, Reason>> = {
  FORMAT_FAILURE: 'whyFormat',
  HASH_FAILURE: 'whyHash',
  SIG_CRYPTO_FAILURE: 'whyCrypto',
  NOT_YET_VALID: 'whyNotYetValid',
  SIG_CONSTRAINTS_FAILURE: 'whyConstraints',
  NO_SIGNING_CERTIFICATE_FOUND: 'whyNoCertificate',
  CRYPTO_CONSTRAINTS_FAILURE: 'whyWeak',
  NO_CERTIFICATE_CHAIN_FOUND: 'whyNoChain',
  CHAIN_CONSTRAINTS_FAILURE: 'whyChain',
  OUT_OF_BOUNDS_NO_POE: 'whyExpired',
  TIMESTAMP_ORDER_FAILURE: 'whyOrder',
  REVOKED_NO_POE: 'whyRevoked',
  REVOKED_CA_NO_POE: 'whyAuthorityRevoked',
  TRY_LATER: 'whyTryLater',
}

/** By finding, for what cannot be confirmed: programs may show or find different things. */
const DOUBTS: ReadonlyMap<string, Reason> = new Map([
  ['SYNTAX_AMBIGUOUS', 'whyAmbiguous'],
  ['LATER_REVISION_AMBIGUOUS', 'whyAmbiguous'],
  ['LINEARIZED_LATER', 'whyAmbiguous'],
  ['END_NOT_FOUND_BY_ALL', 'whyAmbiguous'],
  ['SIGNATURE_ODDLY_WRITTEN', 'whyOddlyWritten'],
])

type InfoText = Extract<keyof Texts, `info${string}`>

const INFOS: Readonly<Record<string, InfoText>> = {
  APPEARANCE_COVERS_CONTENT: 'infoCoversContent',
  APPEARANCE_OVERLAPS_SIGNATURE: 'infoOverlaps',
}

/** Observations about a signature that are not errors. */
export function infosOf({ infos }: Pick<SignatureReport, 'infos'>, texts: Texts): string[] {
  return infos.flatMap(({ key }) => {
    const text = INFOS[key]
    return text === undefined ? [] : [texts[text]]
  })
}

/** @returns nothing for a signature that is valid */
export function reasonsOf(
  {
    indication,
    subIndication,
    errors,
  }: Pick<SignatureReport, 'indication' | 'subIndication' | 'errors'>,
  texts: Texts,
): string[] {
  if (indication === 'TOTAL_PASSED') return []
  // A signature that failed did so for another reason.
  const isOpen = indication === 'INDETERMINATE'
  const [doubt] = isOpen ? errors.flatMap(({ key }) => DOUBTS.get(key) ?? []) : []
  if (doubt) return [texts[doubt]]
  const isModified = errors.some(({ key }) => key === 'MODIFIED_AFTER_SIGNING')
  if (isModified && subIndication === 'SIG_CONSTRAINTS_FAILURE') return [texts.whyModified]
  const isDoubted = errors.some(({ key }) => key === 'SECOND_JUDGE_DISAGREES')
  if (isDoubted && subIndication === 'SIG_CONSTRAINTS_FAILURE') return [texts.whySecondJudge]
  const isWeak = errors.some(({ key }) => key === 'ALGORITHM_TOO_WEAK')
  if (!isWeak && subIndication === 'CRYPTO_CONSTRAINTS_FAILURE') return [texts.whyMethodUnknown]
  const reason = REASONS[subIndication ?? ''] ?? 'whyOther'
  return [texts[reason]]
}
