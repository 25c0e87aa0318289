/**
 * Validates certificate policies along a path (RFC 5280, 6.1, with the policy graph of RFC 9618).
 *
 * Only the nodes of the last depth of the graph are kept. Each node has the set of policies from
 * which it comes in the domain of the trust anchor, so that the nodes above it are not needed.
 */

import type { Certificate } from './certificate-reader.ts'
import { TAG } from './der.ts'
import { DerError, readDer } from './der-reader.ts'
import { readObjectIdentifier, readSmallInteger } from './der-values.ts'
import type { DerElement } from './der-reader.ts'
import { OID } from './object-identifiers.ts'

/** Policies and mappings of one certificate; real ones have a few. */
const MAX_POLICIES = 500

/** What a caller demands of policies (RFC 5280, 6.1.1 (c), (e), (f), (g)). */
export interface PolicyOptions {
  /** Dotted OIDs of which one must hold; any policy will do without it. */
  readonly acceptedPolicies?: readonly string[]
  /** Whether a policy must hold along the whole path. */
  readonly requiresPolicy?: boolean
  readonly inhibitsMapping?: boolean
  readonly inhibitsAnyPolicy?: boolean
}

/** A node of the graph. */
interface PolicyNode {
  readonly expected: ReadonlySet<string>
  /** Policies in the domain of the anchor; undefined in the node of any policy: all of them. */
  readonly origins: ReadonlySet<string> | undefined
}

/** Nodes of one depth by their policies; empty when no policy holds. */
type PolicyNodes = Map<string, PolicyNode>

interface CertificatePolicies {
  /** Undefined without the extension. */
  readonly policies: ReadonlySet<string> | undefined
  /** Policies of the subject's domain, by the issuer's policy to which each is equal. */
  readonly mappings: ReadonlyMap<string, ReadonlySet<string>>
  readonly requireExplicitPolicy: number | undefined
  readonly inhibitPolicyMapping: number | undefined
  readonly inhibitAnyPolicy: number | undefined
}

/** The state of RFC 5280, 6.1.2, without names and keys. */
interface State {
  nodes: PolicyNodes
  explicitPolicy: number
  policyMapping: number
  inhibitAnyPolicy: number
}

const anyNode = (): PolicyNodes =>
  new Map([[OID.anyPolicy, { expected: new Set([OID.anyPolicy]), origins: undefined }]])

function sequenceOf({ extensions }: Certificate, type: string): readonly DerElement[] | undefined {
  const extension = extensions.get(type)
  const elements = extension && readDer(extension.value).as(TAG.sequence).children
  if ((elements?.length ?? 0) > MAX_POLICIES) throw new DerError('too many policies')
  return elements
}

/** @throws DerError when an extension cannot be read */
function readPolicies(certificate: Certificate): CertificatePolicies {
  const policies = sequenceOf(certificate, OID.certificatePolicies)?.map((one) =>
    readObjectIdentifier(one.as(TAG.sequence).child(0)),
  )
  const constraints = sequenceOf(certificate, OID.policyConstraints) ?? []
  if (constraints.some(({ tag }) => tag !== TAG.context && tag !== (TAG.context | 1))) {
    throw new DerError('not policy constraints')
  }
  const skipCertificates = (tag: number) => {
    const element = constraints.find((one) => one.tag === tag)
    return element && readCount(element.content)
  }
  const inhibitAny = certificate.extensions.get(OID.inhibitAnyPolicy)
  return {
    policies: policies && new Set(policies),
    mappings: readMappings(certificate),
    requireExplicitPolicy: skipCertificates(TAG.context),
    inhibitPolicyMapping: skipCertificates(TAG.context | 1),
    inhibitAnyPolicy: inhibitAny && readSmallInteger(readDer(inhibitAny.value)),
  }
}

/** SkipCerts, whose tag is implicit. @throws DerError */
function readCount(octets: Uint8Array): number {
  return readSmallInteger(readDer(Uint8Array.of(TAG.integer, octets.length, ...octets)))
}

function readMappings(certificate: Certificate): ReadonlyMap<string, ReadonlySet<string>> {
  const mappings = new Map<string, Set<string>>()
  for (const mapping of sequenceOf(certificate, OID.policyMappings) ?? []) {
    const [issuer, subject] = [mapping.as(TAG.sequence).child(0), mapping.child(1)].map(
      readObjectIdentifier,
    )
    mappings.set(issuer, (mappings.get(issuer) ?? new Set()).add(subject))
  }
  return mappings
}

/** RFC 5280, 6.1.3 (d) and (e): the nodes of the next depth. */
function nextNodes(
  nodes: PolicyNodes,
  policies: ReadonlySet<string> | undefined,
  isAnyAllowed: boolean,
): PolicyNodes {
  const next: PolicyNodes = new Map()
  if (!policies) return next
  const parents = parentsByExpectedPolicy(nodes)
  const add = (policy: string, from: readonly PolicyNode[]) => {
    const origins = policy === OID.anyPolicy ? undefined : originsOf(policy, from)
    next.set(policy, { expected: new Set([policy]), origins })
  }
  for (const policy of policies) {
    if (policy === OID.anyPolicy) continue
    const matching = parents.get(policy)
    if (matching) add(policy, matching)
    else if (nodes.has(OID.anyPolicy)) add(policy, [])
  }
  if (!policies.has(OID.anyPolicy) || !isAnyAllowed) return next
  for (const [policy, matching] of parents) if (!next.has(policy)) add(policy, matching)
  return next
}

function parentsByExpectedPolicy(nodes: PolicyNodes): ReadonlyMap<string, readonly PolicyNode[]> {
  const parents = new Map<string, PolicyNode[]>()
  for (const node of nodes.values()) {
    for (const policy of node.expected) {
      parents.set(policy, [...(parents.get(policy) ?? []), node])
    }
  }
  return parents
}

/** A child of the node of any policy is the first of its policy: it is its own origin. */
const originsOf = (policy: string, parents: readonly PolicyNode[]): ReadonlySet<string> =>
  parents.length === 0
    ? new Set([policy])
    : new Set(parents.flatMap(({ origins }) => [...(origins ?? [policy])]))

/** RFC 5280, 6.1.4 (b). */
function applyMappings(state: State, { mappings }: CertificatePolicies): void {
  const { nodes, policyMapping } = state
  for (const [policy, expected] of mappings) {
    if (policyMapping === 0) {
      nodes.delete(policy)
      continue
    }
    const node = nodes.get(policy)
    if (!node && !nodes.has(OID.anyPolicy)) continue
    nodes.set(policy, { expected, origins: node?.origins ?? new Set([policy]) })
  }
}

/** RFC 5280, 6.1.4 (h), (i) and (j). */
function countDown(state: State, own: CertificatePolicies, isSelfIssued: boolean): void {
  const lower = (count: number, limit: number | undefined) =>
    Math.min(isSelfIssued ? count : Math.max(0, count - 1), limit ?? Infinity)
  state.explicitPolicy = lower(state.explicitPolicy, own.requireExplicitPolicy)
  state.policyMapping = lower(state.policyMapping, own.inhibitPolicyMapping)
  state.inhibitAnyPolicy = lower(state.inhibitAnyPolicy, own.inhibitAnyPolicy)
}

/** RFC 5280, 6.1.4 (a): no policy is equal to any policy. */
const mapsAnyPolicy = ({ mappings }: CertificatePolicies): boolean =>
  [...mappings].some(([policy, mapped]) => policy === OID.anyPolicy || mapped.has(OID.anyPolicy))

/** RFC 5280, 6.1.5 (g): whether a policy holds that the caller accepts. */
const isAccepted = (nodes: PolicyNodes, accepted: ReadonlySet<string> | undefined): boolean =>
  [...nodes.values()].some(
    ({ origins }) => !accepted || !origins || [...origins].some((policy) => accepted.has(policy)),
  )

/**
 * Checks whether the certificate policies along a path are as its authorities and the caller
 * demand.
 *
 * The anchor is not part of the path. Its mappings and constraints count nevertheless (RFC 5937,
 * 3.2), and its policies as well when another authority issued it: an anchor of a trusted list may
 * be an authority below a root.
 *
 * @param path from the certificate up to the trust anchor
 * @throws DerError when an extension cannot be read
 */
export function policiesHold(path: readonly Certificate[], options: PolicyOptions = {}): boolean {
  const count = path.length
  const state: State = {
    nodes: anyNode(),
    explicitPolicy: options.requiresPolicy ? 0 : count + 1,
    policyMapping: options.inhibitsMapping ? 0 : count + 1,
    inhibitAnyPolicy: options.inhibitsAnyPolicy ? 0 : count + 1,
  }
  const accepted = options.acceptedPolicies && new Set(options.acceptedPolicies)
  for (const [index, certificate] of path.toReversed().entries()) {
    const isLast = index === count - 1
    const isRoot = index === 0 && certificate.selfIssued
    const isAnchor = index === 0 && !isLast
    const own = readPolicies(certificate)
    if (mapsAnyPolicy(own)) return false
    const hasPolicies = !(isRoot || (isAnchor && !own.policies))
    if (hasPolicies) {
      const isAnyAllowed = state.inhibitAnyPolicy > 0 || (!isLast && certificate.selfIssued)
      state.nodes = nextNodes(state.nodes, own.policies, isAnyAllowed)
    }
    if (state.explicitPolicy === 0 && state.nodes.size === 0) return false
    if (isLast) {
      const isRequired = state.explicitPolicy <= 1 || own.requireExplicitPolicy === 0
      return !isRequired || isAccepted(state.nodes, accepted)
    }
    applyMappings(state, own)
    countDown(state, own, certificate.selfIssued || isAnchor)
  }
  return true
}
