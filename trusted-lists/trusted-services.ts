/**
 * Finds the services in a snapshot that issued a certificate, and the trust anchors of all services
 * (ETSI TS 119 615, 4.3).
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { type Certificate, hasIssued, readCertificate } from '../pades/index.ts'
import type { Service, ServiceState } from './model.ts'
import type { TrustedListSnapshot } from './snapshot.ts'

/** Maximum number of issuers in a path; real paths are much shorter. */
const MAXIMUM_DEPTH = 10
/** Maximum number of signature checks between certificates for one certificate. */
const MAXIMUM_TRIED = 200

const CA_TYPES = ['CA/QC', 'CA/PKC', 'NationalRootCA-QC']
const TIME_STAMP_TYPES = ['TSA/QTST', 'TSA', 'TSA/TSS-QC', 'TSA/TSS-AdESQCandQES']
/** TS 119 612, 5.5.4: statuses in which the service is reliable. */
const RELIABLE: ReadonlySet<string> = new Set([
  'granted',
  'recognisedatnationallevel',
  'setbynationallaw',
  'undersupervision',
  'supervisionincessation',
  'accredited',
])

/** A service with its parsed certificates. */
export interface TrustedService {
  country: string
  service: Service
  certificates: readonly Certificate[]
}

/** A service in its state at the requested instant. */
export interface ServiceAt {
  country: string
  provider: string
  name: string
  state: ServiceState
}

/** A trust anchor for building paths, with its service. */
export interface TrustedListAnchor {
  certificate: Certificate
  source: 'EU-TL'
  country: string
  tsp: string
  service: string
  /** Last segment of the status' URI at the requested instant. */
  status: string
}

/** A certificate that is reliable, with its purposes and periods. */
export interface ListedAnchor {
  certificate: Certificate
  purposes: readonly ('signature' | 'time-stamp')[]
  /** From the start of a state to that of the next. */
  periods: { from: Date; until?: Date }[]
}

const hex = (octets: Uint8Array) => Buffer.from(octets).toString('hex')
const sha256 = (octets: Uint8Array) => createHash('sha256').update(octets).digest('hex')

function readable(base64: string): Certificate[] {
  try {
    return [readCertificate(new Uint8Array(Buffer.from(base64, 'base64')))]
  } catch {
    // An identity that cannot be parsed anchors nothing and does not affect others.
    return []
  }
}

/** Returns the state in force at an instant, or undefined when the service was not listed yet. */
function stateAt({ states }: Service, at: Date): ServiceState | undefined {
  return states.find(({ since }) => Date.parse(since) <= at.getTime())
}

const BOTH = ['signature', 'time-stamp'] as const

/** Returns the periods in which a service of one of the types was reliable. */
function periodsOf({ states }: Service, types: readonly string[]): ListedAnchor['periods'] {
  return states.flatMap(({ type, status, since }, index) => {
    if (!types.includes(type) || !RELIABLE.has(status)) return []
    const next = states[index - 1]
    return [{ from: new Date(since), ...(next && { until: new Date(next.since) }) }]
  })
}

const push = <T>(map: Map<string, T[]>, key: string, value: T) => {
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}

/** A snapshot prepared for queries; the constructor parses every certificate once. */
export class TrustedLists {
  readonly snapshot: TrustedListSnapshot
  readonly #services: TrustedService[]
  /** By subject and public key, because a renewed certificate is the same identity. */
  readonly #byIdentity = new Map<string, TrustedService[]>()
  readonly #bySubject = new Map<string, Certificate[]>()

  constructor(snapshot: TrustedListSnapshot) {
    this.snapshot = snapshot
    this.#services = snapshot.lists.flatMap(({ territory, services }) =>
      services.map((service) => ({
        country: territory,
        service,
        certificates: service.certificates.flatMap(readable),
      })),
    )
    for (const trusted of this.#services) {
      for (const certificate of trusted.certificates) {
        push(this.#byIdentity, identityOf(certificate), trusted)
        push(this.#bySubject, hex(certificate.subject), certificate)
      }
    }
  }

  /**
   * Returns trust anchors for building paths: certificates of services that were reliable at an
   * instant.
   *
   * @param purpose `time-stamp` adds the time-stamp authorities to the certificate authorities
   */
  anchors(at: Date, purpose: 'signature' | 'time-stamp'): TrustedListAnchor[] {
    const types = new Set([...CA_TYPES, ...(purpose === 'time-stamp' ? TIME_STAMP_TYPES : [])])
    const anchors = new Map<string, TrustedListAnchor>()
    for (const { country, service, certificates } of this.#services) {
      const state = stateAt(service, at)
      if (!state || !types.has(state.type) || !RELIABLE.has(state.status)) continue
      for (const certificate of certificates) {
        if (anchors.has(certificate.sha256)) continue
        anchors.set(certificate.sha256, {
          certificate,
          source: 'EU-TL',
          country,
          tsp: service.provider,
          service: service.name,
          status: state.status,
        })
      }
    }
    return [...anchors.values()]
  }

  /**
   * Returns identities of services that, by their names, may have issued one of the certificates,
   * or that are one of them.
   */
  anchorsAbove(below: readonly Certificate[]): ListedAnchor[] {
    const names = new Set(below.flatMap(({ subject, issuer }) => [hex(subject), hex(issuer)]))
    return this.#services.flatMap(({ service, certificates }) =>
      certificates
        .filter(({ subject }) => names.has(hex(subject)))
        .flatMap((certificate) => [
          { certificate, purposes: BOTH, periods: periodsOf(service, CA_TYPES) },
          {
            certificate,
            purposes: ['time-stamp'] as const,
            periods: periodsOf(service, TIME_STAMP_TYPES),
          },
        ])
        .filter(({ periods }) => periods.length > 0),
    )
  }

  /**
   * Returns the services that issued a certificate, directly or through as few further authorities
   * as possible; services above those do not count.
   *
   * @param issuers further certificates that may be authorities; they do not have to be trusted
   * @param role for `time-stamp`, the certificate of the unit itself may be the identity
   */
  servicesBehind(
    certificate: Certificate,
    issuers: readonly Certificate[],
    at: Date,
    role: 'signer' | 'time-stamp',
  ): ServiceAt[] {
    const types = role === 'signer' ? CA_TYPES : [...TIME_STAMP_TYPES, ...CA_TYPES]
    const levels = this.#upwards(certificate, issuers)
    for (const level of role === 'signer' ? levels.slice(1) : levels) {
      const identities = level.flatMap((it) => this.#byIdentity.get(identityOf(it)) ?? [])
      const services = [...new Set(identities)].flatMap(({ country, service }) => {
        const state = stateAt(service, at)
        if (!state || !types.includes(state.type)) return []
        return [{ country, provider: service.provider, name: service.name, state }]
      })
      if (services.length > 0) return services
    }
    return []
  }

  /**
   * Returns the certificate, its issuers, their issuers and so on, all with verified signatures.
   */
  #upwards(certificate: Certificate, issuers: readonly Certificate[]): Certificate[][] {
    const levels = [[certificate]]
    const known = new Set([certificate.sha256])
    let tried = 0
    for (let depth = 0; depth < MAXIMUM_DEPTH; depth++) {
      const next: Certificate[] = []
      for (const below of levels[depth] ?? []) {
        const listed = this.#bySubject.get(hex(below.issuer)) ?? []
        for (const issuer of [...listed, ...issuers]) {
          if (known.has(issuer.sha256) || !issuer.basicConstraints.authority) continue
          if (++tried > MAXIMUM_TRIED || !hasIssued(issuer, below)) continue
          known.add(issuer.sha256)
          next.push(issuer)
        }
      }
      if (next.length === 0) break
      levels.push(next)
    }
    return levels
  }
}

function identityOf({ subject, publicKeySpki }: Certificate): string {
  return `${sha256(publicKeySpki)} ${hex(subject)}`
}
