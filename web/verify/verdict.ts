/** What a validation report comes to for people who know nothing of signatures. */
import type { ValidationReport } from '../../domain/contract/validation-report.ts'

export type SignatureReport = ValidationReport['signatures'][number]
export type DocumentTimeStamp = ValidationReport['documentTimestamps'][number]
type Change = SignatureReport['modifications']['changes'][number]

export type VerdictKind = 'genuine' | 'unsigned' | 'changed' | 'invalid' | 'untrusted' | 'uncertain'

/** How a verdict looks: green, amber, red, or neither. */
export type Tone = 'good' | 'warn' | 'bad' | 'plain'

export const TONES: Readonly<Record<VerdictKind, Tone>> = {
  genuine: 'good',
  unsigned: 'plain',
  changed: 'bad',
  invalid: 'bad',
  untrusted: 'warn',
  uncertain: 'warn',
}

/**
 * Given name or surname in a distinguished name. A relative name may have several attributes, with
 * a plus between them; an escaped comma or plus belongs to a value (RFC 4514).
 */
const PERSONAL = /(?:^|(?:^|[^\\])(?:\\\\)*[,+])(?:GN|SN)=/

/**
 * Whether an organisation sealed, and no person signed: what the trusted lists say counts; else a
 * certificate of an organisation, or of this service, that names no person.
 */
export function isSeal({ signer, qualification, certificateChain }: SignatureReport): boolean {
  const level = qualification?.level ?? ''
  if (/Seal/.test(level)) return true
  if (/Sig/.test(level) || !signer || PERSONAL.test(signer.subject)) return false
  const isOwn = certificateChain.at(-1)?.trustAnchor?.source === 'service-root'
  return isOwn || signer.organizationIdentifier !== undefined
}

/** What would move the cursor or turn text around: names are somebody else's. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu
/** Each such character becomes a space. */
export const printable = (text: string): string => text.replace(CONTROLS, ' ')

/** A visible character: neither white space nor one without a glyph (Unicode, 5.21). */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Who signed, as their certificate says, or undefined when it cannot be read. */
export function nameOf({ signer }: SignatureReport): string | undefined {
  if (!signer) return undefined
  const names = [signer.commonName ?? '', signer.subject].map(printable)
  return names.find((name) => VISIBLE.test(name))
}

export interface SignatureTime {
  /** ISO 8601 */
  instant: string
  isProven: boolean
}

/** The time that a time-stamp proves, else what the signer's clock said. */
export function timeOf(
  { bestSignatureTime, claimedSigningTime }: SignatureReport,
  { validationTime }: ValidationReport,
): SignatureTime | undefined {
  const isProven = Date.parse(bestSignatureTime) < Date.parse(validationTime)
  if (isProven) return { instant: bestSignatureTime, isProven }
  return claimedSigningTime === undefined ? undefined : { instant: claimedSigningTime, isProven }
}

/**
 * Whether the service itself issued every valid time-stamp that covers a signature. It does so by
 * its own clock, so no third party vouches for the time.
 */
export function isTimeOfService(
  { timestamps, integrity: signed }: SignatureReport,
  { documentTimestamps }: Pick<ValidationReport, 'documentTimestamps'>,
): boolean {
  const later = documentTimestamps.filter(
    ({ integrity }) => (integrity.revision ?? Infinity) > (signed.revision ?? 0),
  )
  const valid = [...timestamps, ...later].filter(({ indication }) => indication === 'TOTAL_PASSED')
  const isOwn = ({ certificateChain }: (typeof valid)[number]) =>
    certificateChain.at(-1)?.trustAnchor?.source === 'service-root'
  return valid.length > 0 && valid.every(isOwn)
}

type Signed = SignatureReport | DocumentTimeStamp

/** Whether the signed octets are not what was signed. */
const isAlteredInside = ({ integrity, subIndication }: Signed) =>
  integrity.digestMatch === false || subIndication === 'HASH_FAILURE'

/** Whether they are, or something was added to them that may not be. */
const isAltered = (signed: Signed) =>
  isAlteredInside(signed) ||
  signed.modifications.level === 'OTHER' ||
  signed.modifications.changes.some(({ permitted }) => !permitted)

export interface Verdict {
  kind: VerdictKind
  /** Who signed, each once; undefined for a certificate that cannot be read. */
  names: readonly (string | undefined)[]
  /** Whether the last signature is a seal. */
  isSealed: boolean
  /** When the last signature was made, if that is proven. */
  lastAt?: string | undefined
}

const revisionOf = ({ integrity }: Signed) => integrity.revision ?? 0

/** Whether nothing is doubtful about the people but who issued their certificates. */
function areStrangers({ signatures, documentTimestamps }: ValidationReport): boolean {
  const isStranger = ({ subIndication }: Signed) => subIndication === 'NO_CERTIFICATE_CHAIN_FOUND'
  const doubtful = documentTimestamps.filter(({ indication }) => indication !== 'TOTAL_PASSED')
  return signatures.every(isStranger) && doubtful.every(isStranger)
}

function kindOf(report: ValidationReport): VerdictKind {
  const { summary, signatures, documentTimestamps } = report
  const all = [...signatures, ...documentTimestamps]
  if (all.length === 0) return 'unsigned'
  if (all.some(isAlteredInside)) return 'changed'
  if (signatures.length > 0 && summary.indication === 'TOTAL_FAILED') return 'invalid'
  if (summary.documentModifiedAfterSigning === 'unknown') return 'uncertain'
  if (all.some(isAltered)) return 'changed'
  // A time-stamp is not a signature; its own card says what is known about it.
  if (signatures.length === 0) return 'unsigned'
  if (summary.indication === 'TOTAL_PASSED') return 'genuine'
  return areStrangers(report) ? 'untrusted' : 'uncertain'
}

/** What the page says first, and what it counts: people apart from seals. */
export function verdictOf(report: ValidationReport): Verdict {
  const { signatures } = report
  const people = signatures.filter((one) => !isSeal(one))
  const last = signatures.toSorted((a, b) => revisionOf(a) - revisionOf(b)).at(-1)
  const time = last && timeOf(last, report)
  return {
    kind: kindOf(report),
    names: [...new Map(people.map((one) => [one.signer?.subject ?? one.id, nameOf(one)])).values()],
    isSealed: last !== undefined && isSeal(last),
    lastAt: time?.isProven ? time.instant : undefined,
  }
}

/** What became of a document after somebody signed it. */
export interface Alteration {
  signature: Signed
  /** Inside what was signed: then the original cannot be determined. */
  isInside: boolean
  /** Added after the signature, and before the next. */
  changes: Change[]
}

const sameChange = (a: Change) => (b: Change) =>
  a.object === b.object && a.path === b.path && a.action === b.action

/** Whether something is new on a page: permitted as such, and worth a word on a changed page. */
const isNewThing = ({ action, part }: Change) => action === 'added' && part !== undefined

/** Changes that are not permitted, and what was added to the same pages or as a page. */
function worthAWord(changes: readonly Change[]): Change[] {
  const refused = changes.filter(({ permitted }) => !permitted)
  const pages = new Set(refused.map(({ page }) => page))
  const isOnThem = (one: Change) => isNewThing(one) && (pages.has(one.page) || one.part === 'page')
  return refused.length === 0 ? [] : [...refused, ...changes.filter(isOnThem)]
}

/** Each change after the last signature that it came after (V2), the earliest first. */
export function alterationsOf(report: ValidationReport): Alteration[] {
  const { signatures, documentTimestamps } = report
  const signed = signatures.filter(isAltered)
  // A change after a signature and a time-stamp is reported for the signature.
  const altered: Signed[] = signed.length > 0 ? signed : documentTimestamps.filter(isAltered)
  altered.sort((a, b) => revisionOf(a) - revisionOf(b))
  const inside = altered.find(isAlteredInside)
  // What follows from it is not worth telling: signatures that are broken explain no change.
  if (inside) return [{ signature: inside, isInside: true, changes: [] }]
  const lists = altered.map(({ modifications }) =>
    modifications.changes.filter((change) => !change.permitted || isNewThing(change)),
  )
  const all = altered.map((signature, index) => ({
    signature,
    isInside: false,
    changes: worthAWord(
      (lists[index] ?? []).filter(
        (change) => !lists.slice(index + 1).some((later) => later.some(sameChange(change))),
      ),
    ),
  }))
  return all.filter(({ changes }, index) => changes.length > 0 || index === all.length - 1)
}

/**
 * The file as it was when somebody signed it: all up to the end of the byte range. Undefined when
 * what was signed is not there any more.
 */
export function signedRevision(file: Blob, { signature, isInside }: Alteration): Blob | undefined {
  const { byteRange, byteRangeValid } = signature.integrity
  const [, , start = 0, length = 0] = byteRange
  const end = start + length
  if (isInside || !byteRangeValid || end > file.size) return undefined
  return file.slice(0, end, 'application/pdf')
}

export type CheckState = 'good' | 'bad' | 'unknown'
export interface Checks {
  unchanged: CheckState
  trusted: CheckState
  notRevoked: CheckState
  timeProven: CheckState
}

const ownRevocation = ({ revocation, certificateChain: [own] }: SignatureReport) =>
  revocation.filter((one) => one.certificateSha256 === own?.sha256)

/** Whether the signer's certificate was revoked, but only after the proven time. */
export function isRevokedLater(signature: SignatureReport): boolean {
  const signedAt = Date.parse(signature.bestSignatureTime)
  const revoked = ownRevocation(signature).filter(({ status }) => status === 'revoked')
  return revoked.length > 0 && revoked.every((one) => Date.parse(one.revokedAt ?? '') > signedAt)
}

function revocationOf(signature: SignatureReport): CheckState {
  const states = ownRevocation(signature)
  if (isRevokedLater(signature)) return 'good'
  if (states.some(({ status }) => status === 'revoked')) return 'bad'
  // A signature passes also where nothing is published, such as for certificates that end at once.
  return states.some(({ status }) => status === 'good') ? 'good' : 'unknown'
}

/** What was checked of a signature, and what came of it. */
export function checksOf(signature: SignatureReport, report: ValidationReport): Checks {
  const { integrity, certificateChain } = signature
  const isWhole = integrity.digestMatch === true && integrity.signatureValueValid === true
  const isUnknown = report.summary.documentModifiedAfterSigning === 'unknown'
  const asSigned = isUnknown ? 'unknown' : 'good'
  return {
    unchanged: isAltered(signature) || !isWhole ? 'bad' : asSigned,
    trusted: certificateChain.at(-1)?.trustAnchor ? 'good' : 'unknown',
    notRevoked: revocationOf(signature),
    timeProven: timeOf(signature, report)?.isProven ? 'good' : 'unknown',
  }
}
