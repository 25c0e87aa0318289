/** The `Tenant` resource: the identity of a tenant, the namespace and defaults of its cases. */
import { Type, type Static } from '@sinclair/typebox'
import { Sender } from '../cases/definition.ts'
import { RetentionDays } from '../cases/status.ts'
import { type API_VERSION, Condition, type ObjectMeta } from '../resources.ts'
import { stringEnum, text } from '../schema-parts.ts'
import * as limits from '../limits.ts'
import { MAXIMUM_TIME_ZONE_LENGTH, TIME_ZONE_PATTERN } from '../local-time.ts'
import { Branding } from './branding.ts'
import {
  EMBEDDING_ORIGIN_PATTERN,
  MAXIMUM_EMBEDDING_ORIGIN_LENGTH,
  MAXIMUM_EMBEDDING_ORIGINS,
} from './embedding-origin.ts'

/** RFC 1123 label, as names of namespaces are. */
const NAMESPACE_PATTERN = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'
const MAXIMUM_NAMESPACE_LENGTH = 63

/** Identifies the tenant's tokens (specification 5.1). */
const TenantIdentityRule = Type.Object(
  {
    issuer: text(limits.MAXIMUM_URL_LENGTH, 'Issuer of the tokens, an https URL'),
    audience: text(limits.MAXIMUM_TEXT_LENGTH, 'Required audience of the tokens'),
    claim: text(limits.MAXIMUM_NAME_LENGTH, 'Claim that identifies the tenant'),
    value: text(limits.MAXIMUM_TEXT_LENGTH, "Value of the claim in the tenant's tokens"),
  },
  { description: 'Identity tokens that belong to the tenant' },
)

/** Sites of the tenant that may show its signing pages in a frame. */
const Embedding = Type.Object(
  {
    origins: Type.Array(
      Type.String({
        pattern: EMBEDDING_ORIGIN_PATTERN,
        maxLength: MAXIMUM_EMBEDDING_ORIGIN_LENGTH,
        description:
          'Origin as browsers write it, such as https://app.example.com; http only for loopback',
      }),
      {
        maxItems: MAXIMUM_EMBEDDING_ORIGINS,
        description: 'Origins whose pages may show the signing page in a frame',
      },
    ),
  },
  { description: 'Embedding of the signing page; without it, no site may embed the page' },
)

const SIGNING_PROFILES = ['PAdES-BASELINE-LTA'] as const

export const TenantSpec = Type.Object(
  {
    namespace: Type.String({
      pattern: NAMESPACE_PATTERN,
      maxLength: MAXIMUM_NAMESPACE_LENGTH,
      description: 'Namespace of the cases, kiosks and Secrets; the controller creates it',
    }),
    identity: TenantIdentityRule,
    sender: Type.Optional({ ...Sender, description: 'Sender of cases that name none' }),
    signingProfile: Type.Optional(
      stringEnum(SIGNING_PROFILES, { description: 'PAdES level of new signatures' }),
    ),
    retentionDays: Type.Optional(RetentionDays),
    embedding: Type.Optional(Embedding),
    branding: Type.Optional(Branding),
    timeZone: Type.Optional(
      Type.String({
        pattern: TIME_ZONE_PATTERN,
        maxLength: MAXIMUM_TIME_ZONE_LENGTH,
        description:
          'IANA name of the zone of local times in mails and evidence, such as America/New_York; ' +
          'without it, Europe/Bratislava',
      }),
    ),
  },
  { description: 'Desired state of the tenant' },
)
export type TenantSpec = Static<typeof TenantSpec>

export const TenantStatus = Type.Object(
  {
    observedGeneration: Type.Integer({
      minimum: 0,
      description: 'Generation of the resource that this status describes',
    }),
    conditions: Type.Array(Condition, {
      maxItems: 16,
      description:
        'Whether the namespace is ready, the branding is shown, and the time zone is known',
    }),
  },
  { description: 'Observed state of the tenant; only the controller writes it' },
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
