/**
 * Determines the qualification of a certificate at an instant by the trusted lists (ETSI TS 119
 * 615, 4.4 and 4.5).
 */
import {
  type Certificate,
  certificatePolicies,
  qualifiedStatements,
  type QualifiedType,
} from '../../pades/index.ts'
import type { ServiceState } from '../model.ts'
import { RESTRICTING_QUALIFIERS } from '../read-qualifications.ts'
import type { ServiceAt, TrustedLists } from '../trusted-services.ts'
import { meets } from './criteria.ts'

/** Regulation (EU) 910/2014 applies from this instant on; before, Directive 1999/93/EC applied. */
const REGULATION_SINCE = new Date('2016-07-01T00:00:00Z')
/** ETSI TS 101 456: qualified certificates without and with a secure device. */
const QCP_PUBLIC = '0.4.0.1456.1.2'
const QCP_PUBLIC_WITH_SSCD = '0.4.0.1456.1.1'

const GRANTED_NOW: readonly string[] = ['granted']
const GRANTED_BEFORE: readonly string[] = [
  'granted',
  'undersupervision',
  'supervisionincessation',
  'accredited',
]

/** Qualification of a certificate; `QC` means qualified certificate. */
export type CertificateLevel =
  | `QC-${'eSig' | 'eSeal' | 'web' | 'unknown'}${'' | '-QSCD'}`
  | `Cert-${'eSig' | 'eSeal' | 'web' | 'unknown'}`
  /** No listed service issued the certificate. */
  | 'NA'

/** Why the level differs from what the certificate claims, as stable keys. */
export type QualificationNote =
  | 'NO_TRUSTED_SERVICE'
  | 'SERVICE_NOT_GRANTED'
  | 'SERVICE_EXTENSION_UNKNOWN'
  | 'SERVICE_FOR_OTHER_USE'
  | 'QUALIFIERS_CONTRADICT'
  | 'SERVICES_CONTRADICT'
  | 'CRITERION_UNKNOWN'
  | 'TYPE_UNCLEAR'

export interface CertificateQualification {
  level: CertificateLevel
  qualified: boolean
  type: QualifiedType | 'unknown'
  /** Whether the key is in a qualified device. */
  qscd: boolean
  /** Services that decided, with their status at that instant. */
  services: { country: string; tsp: string; service: string; status: string }[]
  notes: QualificationNote[]
}

type Claim = Pick<CertificateQualification, 'qualified' | 'type' | 'qscd'>

interface OwnClaim extends Claim {
  /** The type to use when a service states that the certificate is qualified, without its type. */
  typeIfQualified: Claim['type']
}

/** The certificate's own claim, by the rules that applied when it was issued. */
function ownClaim(certificate: Certificate): OwnClaim {
  const { compliance, hasOtherLegislation, sscd, types } = qualifiedStatements(certificate)
  const isCompliant = compliance && !hasOtherLegislation
  if (certificate.notBefore < REGULATION_SINCE) {
    const policies = certificatePolicies(certificate)
    const withSscd = policies.includes(QCP_PUBLIC_WITH_SSCD)
    const qualified = isCompliant || withSscd || policies.includes(QCP_PUBLIC)
    // The directive only knew qualified certificates for signatures.
    const typeIfQualified = 'eSig'
    const type = qualified ? typeIfQualified : 'unknown'
    return { qualified, type, typeIfQualified, qscd: sscd || withSscd }
  }
  // EN 319 412-5, 4.2.3: without a type, the certificate is for signatures.
  const typeIfQualified = types.length > 1 ? 'unknown' : (types[0] ?? 'eSig')
  const type = isCompliant || types.length > 0 ? typeIfQualified : 'unknown'
  return { qualified: isCompliant, type, typeIfQualified, qscd: sscd }
}

/** Qualifiers of a service that apply to a certificate; unknown criteria count against it. */
function qualifiersFor(
  certificate: Certificate,
  { qualifications }: ServiceState,
  notes: Set<QualificationNote>,
): ReadonlySet<string> {
  const held = new Set<string>()
  for (const { qualifiers, criterion } of qualifications) {
    const verdict = meets(certificate, criterion)
    if (verdict === undefined) notes.add('CRITERION_UNKNOWN')
    for (const qualifier of qualifiers) {
      if (verdict ?? RESTRICTING_QUALIFIERS.includes(qualifier)) held.add(qualifier)
    }
  }
  return held
}

const TYPE_QUALIFIERS: readonly (readonly [string, QualifiedType])[] = [
  ['QCForESig', 'eSig'],
  ['QCForESeal', 'eSeal'],
  ['QCForWSA', 'web'],
]
const DEVICE_QUALIFIERS = ['QCWithSSCD', 'QCWithQSCD', 'QCQSCDManagedOnBehalf']
const NO_DEVICE_QUALIFIERS = ['QCNoSSCD', 'QCNoQSCD']

/** Applies the service's qualifiers to the claim; undefined when the qualifiers contradict. */
function corrected(own: OwnClaim, held: ReadonlySet<string>): Claim | undefined {
  const has = (name: string) => held.has(name)
  const types = TYPE_QUALIFIERS.filter(([name]) => has(name)).map(([, type]) => type)
  const withDevice = DEVICE_QUALIFIERS.some(has)
  const withoutDevice = NO_DEVICE_QUALIFIERS.some(has)
  const contradict =
    (has('NotQualified') && has('QCStatement')) ||
    types.length > 1 ||
    (withDevice && withoutDevice) ||
    (has('QCForLegalPerson') && types.includes('eSig'))
  if (contradict) return undefined
  const qualified = !has('NotQualified') && (own.qualified || has('QCStatement'))
  const type = types[0] ?? (qualified ? own.typeIfQualified : own.type)
  const forLegalPerson = has('QCForLegalPerson') && type === 'eSig'
  return {
    qualified,
    type: forLegalPerson ? 'unknown' : type,
    qscd: qualified && (withDevice || (own.qscd && !withoutDevice)),
  }
}

/** TS 119 612, 5.5.9.4; a service without stated usages is for signatures. */
function serves({ usages }: ServiceState, type: Claim['type'], at: Date): boolean {
  if (at < REGULATION_SINCE || type === 'unknown') return true
  const names = { eSig: 'ForeSignatures', eSeal: 'ForeSeals', web: 'ForWebSiteAuthentication' }
  const stated = usages.filter((usage) => Object.values(names).includes(usage))
  return stated.length === 0 ? type === 'eSig' : stated.includes(names[type])
}

/**
 * @returns the claim as corrected by one service; undefined when the service says nothing about it
 */
function judge(
  certificate: Certificate,
  { state }: ServiceAt,
  at: Date,
  notes: Set<QualificationNote>,
): Claim | undefined {
  const granted = at < REGULATION_SINCE ? GRANTED_BEFORE : GRANTED_NOW
  const own = ownClaim(certificate)
  if (state.type !== 'CA/QC') return undefined
  if (!granted.includes(state.status)) {
    notes.add('SERVICE_NOT_GRANTED')
    return undefined
  }
  if (state.hasUnknownCritical) {
    notes.add('SERVICE_EXTENSION_UNKNOWN')
    return undefined
  }
  const claim = corrected(own, qualifiersFor(certificate, state, notes))
  if (!claim) {
    notes.add('QUALIFIERS_CONTRADICT')
    return { qualified: false, type: own.type, qscd: false }
  }
  if (claim.qualified && claim.type === 'unknown') notes.add('TYPE_UNCLEAR')
  if (serves(state, claim.type, at)) return claim
  notes.add('SERVICE_FOR_OTHER_USE')
  return undefined
}

function levelOf({ qualified, type, qscd }: Claim): CertificateLevel {
  return qualified ? `QC-${type}${qscd ? '-QSCD' : ''}` : `Cert-${type}`
}

/**
 * Determines the qualification of a certificate at an instant, by the services of type CA/QC that
 * issued it and their state at that time. When anything is unclear, the lower level is returned.
 *
 * @param issuers further certificates that may be its issuers, such as those of its path
 * @param at the time of issuance, or the best signature time
 */
export function qualifyCertificate(
  certificate: Certificate,
  issuers: readonly Certificate[],
  lists: TrustedLists,
  at: Date,
): CertificateQualification {
  const notes = new Set<QualificationNote>()
  const behind = lists.servicesBehind(certificate, issuers, at, 'signer')
  const { type } = ownClaim(certificate)
  const unqualified: Claim = { qualified: false, type, qscd: false }
  if (behind.length === 0) {
    return { ...unqualified, level: 'NA', services: [], notes: ['NO_TRUSTED_SERVICE'] }
  }
  const judged = behind.flatMap((service) => {
    const claim = judge(certificate, service, at, notes)
    return claim ? [{ service, claim }] : []
  })
  const levels = new Set(judged.map(({ claim }) => levelOf(claim)))
  if (levels.size > 1) notes.add('SERVICES_CONTRADICT')
  const claim = levels.size === 1 ? (judged[0]?.claim ?? unqualified) : unqualified
  const deciding = judged.length > 0 ? judged.map(({ service }) => service) : behind
  return {
    ...claim,
    level: levelOf(claim),
    services: deciding.map(({ country, provider, name, state }) => ({
      country,
      tsp: provider,
      service: name,
      status: state.status,
    })),
    notes: [...notes],
  }
}
