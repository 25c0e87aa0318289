/** The `Tenant` resource: who a tenant is, where its cases live and what they get when unsaid. */
import { Type, type Static } from '@sinclair/typebox'
import { Sender } from '../cases/definition.ts'
import { RetentionDays } from '../cases/status.ts'
import { type API_VERSION, Condition, type ObjectMeta } from '../resources.ts'
import { stringEnum, text } from '../schema-parts.ts'
import * as limits from '../limits.ts'

/** RFC 1123 label, as names of namespaces are. */
const NAMESPACE_PATTERN = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'
const MAXIMUM_NAMESPACE_LENGTH = 63

/** What tells the tenant's tokens from others' (specification 5.1). */
const TenantIdentityRule = Type.Object(
  {
    issuer: text(limits.MAXIMUM_URL_LENGTH, 'Issuer of the tokens, an https address'),
    audience: text(limits.MAXIMUM_TEXT_LENGTH, 'Audience that the tokens must name'),
    claim: text(limits.MAXIMUM_NAME_LENGTH, 'Claim that names the tenant'),
    value: text(limits.MAXIMUM_TEXT_LENGTH, "Value of the claim in the tenant's tokens"),
  },
  { description: "Which identity tokens are the tenant's" },
)

const SIGNING_PROFILES = ['PAdES-BASELINE-LTA'] as const

export const TenantSpec = Type.Object(
  {
    namespace: Type.String({
      pattern: NAMESPACE_PATTERN,
      maxLength: MAXIMUM_NAMESPACE_LENGTH,
      description: 'Namespace of the cases, kiosks and secrets; the controller makes it',
    }),
    identity: TenantIdentityRule,
    sender: Type.Optional(Sender),
    signingProfile: Type.Optional(
      stringEnum(SIGNING_PROFILES, { description: 'Level of the signatures that are made' }),
    ),
    retentionDays: Type.Optional(RetentionDays),
  },
  { description: 'What the platform team wants' },
)
export type TenantSpec = Static<typeof TenantSpec>

export const TenantStatus = Type.Object(
  {
    observedGeneration: Type.Integer({ minimum: 0, description: 'Generation that was acted upon' }),
    conditions: Type.Array(Condition, {
      maxItems: 16,
      description: 'Whether namespace and rights are in place',
    }),
  },
  { description: 'What the controller made of it' },
)
export type TenantStatus = Static<typeof TenantStatus>

export const TENANT_KIND = 'Tenant'

/** Cluster-scoped: it has no namespace of its own. */
export interface Tenant {
  apiVersion: typeof API_VERSION
  kind: typeof TENANT_KIND
  metadata: Omit<ObjectMeta, 'namespace'>
  spec: TenantSpec
  status?: TenantStatus
}
