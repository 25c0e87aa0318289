/** Trust anchors of the public verification: this service's roots and the EU trusted lists. */
import { Buffer } from 'node:buffer'
import { TRUSTED_LISTS_KEY } from '../../domain/cases/keys.ts'
import type { TrustAnchorReport } from '../../domain/contract/validation-report.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'
import type { TrustedCertificate } from '../../domain/ports/pdf-sandbox.ts'
import { readCertificate } from '../../pades/index.ts'
import { TrustedLists } from '../../trusted-lists/index.ts'
import type { WorkerDeps } from '../deps.ts'
import { ownRoots } from '../finalise/own-output.ts'
import { readTrustedLists } from '../trusted-lists.ts'

export type TrustDeps = Pick<
  WorkerDeps,
  'signingDevice' | 'timeStamps' | 'objects' | 'keyring' | 'alarm' | 'trustedLists' | 'log'
>

const hex = (octets: Uint8Array) => Buffer.from(octets).toString('hex')

/**
 * Returns the roots of this service for all purposes, and those of its time-stamp authorities for
 * time-stamps only.
 *
 * @throws Error when a key cannot be reached
 */
export async function serviceAnchors({
  signingDevice,
  timeStamps,
}: Pick<TrustDeps, 'signingDevice' | 'timeStamps'>): Promise<TrustedCertificate[]> {
  const own = await ownRoots(signingDevice)
  const known = new Set(own.map(hex))
  const others = (await timeStamps.trustAnchors()).filter((root) => !known.has(hex(root)))
  return [
    ...own.map((certificate) => ({ certificate })),
    ...others.map((certificate) => ({ certificate, purposes: ['time-stamp'] as const })),
  ]
}

/** Cache: parsing a snapshot takes a second, so each snapshot is parsed once. */
const ready = new WeakMap<ObjectStore, { generation: string; lists: TrustedLists }>()

/** Returns the trusted lists when they are configured and a snapshot exists. */
export async function loadTrustedLists(deps: TrustDeps): Promise<TrustedLists | undefined> {
  if (!deps.trustedLists) return undefined
  const stat = await deps.objects.stat(TRUSTED_LISTS_KEY)
  if (!stat) return undefined
  const known = ready.get(deps.objects)
  if (known?.generation === stat.generation) return known.lists
  const snapshot = await readTrustedLists(deps)
  if (!snapshot) return undefined
  const lists = new TrustedLists(snapshot)
  ready.set(deps.objects, { generation: stat.generation, lists })
  return lists
}

/** Returns anchors of the trusted lists for certificate paths that do not end at a known anchor. */
export function listedAnchors(
  paths: readonly (readonly Uint8Array[])[],
  lists: TrustedLists | undefined,
): TrustedCertificate[] {
  if (!lists) return []
  const certificates = paths.flatMap((path) => path.map(readCertificate))
  return lists.anchorsAbove(certificates).map(({ certificate, purposes, periods }) => ({
    certificate: certificate.der,
    purposes,
    periods,
  }))
}

/** Says which source the trust anchors of a report come from. */
export class AnchorSources {
  readonly #own: ReadonlySet<string>
  readonly #lists: TrustedLists | undefined

  constructor(own: readonly TrustedCertificate[], lists: TrustedLists | undefined) {
    this.#own = new Set(own.map(({ certificate }) => readCertificate(certificate).sha256))
    this.#lists = lists
  }

  /** @param at the instant for which the certificate was trusted */
  of(sha256: string, purpose: 'signature' | 'time-stamp', at: Date): TrustAnchorReport {
    if (this.#own.has(sha256)) return { source: 'service-root' }
    const listed = this.#lists
      ?.anchors(at, purpose)
      .find(({ certificate }) => certificate.sha256 === sha256)
    if (!listed) return { source: 'EU-TL' }
    const { source, country, tsp, service, status } = listed
    return { source, country, tsp, service, status }
  }
}
