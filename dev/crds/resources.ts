/** The custom resources: their schemas, rules, columns and names. */
import { LANGUAGES } from '../../domain/cases/definition.ts'
import { KIND } from '../../domain/cases/signature-case.ts'
import { CaseSpec } from '../../domain/cases/spec.ts'
import { CaseStatus } from '../../domain/cases/status.ts'
import { API_VERSION } from '../../domain/resources.ts'
import { DEVICE_KIND, DeviceSpec } from '../../domain/devices/schema.ts'
import { ERRORS } from '../../domain/errors.ts'
import { CLOCK_TOLERANCE_MS } from '../../domain/limits.ts'
import { TENANT_KIND, TenantSpec, TenantStatus } from '../../domain/tenants/schema.ts'
import type { CelRule, JsonSchema, Overlay } from './structural-schema.ts'

export const [GROUP = '', VERSION = ''] = API_VERSION.split('/')

export interface PrinterColumn {
  name: string
  type: 'string' | 'integer' | 'date'
  jsonPath: string
  description: string
  /** With a value above 0, only `-o wide` shows the column. */
  priority?: number
}

export interface CustomResource {
  kind: string
  plural: string
  singular: string
  shortNames: readonly string[]
  scope: 'Namespaced' | 'Cluster'
  description: string
  spec: JsonSchema
  status?: JsonSchema
  columns: readonly PrinterColumn[]
  overlay: Overlay
}

const AGE: PrinterColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: 'Time since the creation of the resource',
}

/** The same pattern as `isUuid` in the domain. */
const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

const NAME_IS_UUID: CelRule = {
  rule: `self.metadata.name.matches('${UUID}')`,
  message: 'metadata.name must be a UUID in lower case',
}

/** Rule for a member that cannot change after it was set. */
const stays = (member: string): CelRule => ({
  rule: `!has(oldSelf.${member}) || (has(self.${member}) && self.${member} == oldSelf.${member})`,
  message: `${member} cannot be changed`,
})

/** Accepted: a case from the API has `spec.creation`, an applied case has `status.createdAt`. */
const IS_ACCEPTED =
  'has(oldSelf.spec.creation) || (has(oldSelf.status) && has(oldSelf.status.createdAt))'

/** Allows for clock differences and for deletion times without fractions of a second. */
const TOLERANCE = `duration('${CLOCK_TOLERANCE_MS / 1000}s')`

const CASE_RULES: Readonly<Record<string, readonly CelRule[]>> = {
  '': [
    NAME_IS_UUID,
    {
      // Until the controller has accepted an applied case, its author can correct it.
      rule: `!(${IS_ACCEPTED}) || self.spec.definition == oldSelf.spec.definition`,
      message: 'definition cannot be changed',
    },
    {
      rule: `!(${IS_ACCEPTED}) || has(oldSelf.spec.creation) || !has(self.spec.creation)`,
      message: 'creation cannot be changed',
    },
    {
      // CEL rules cannot read the clock. A time that was accepted before is not checked again.
      rule:
        'has(oldSelf.spec.cancellation) || !has(self.spec.cancellation) || ' +
        '(has(self.spec.creation) ? ' +
        `self.spec.cancellation.at >= self.spec.creation.at - ${TOLERANCE}` +
        ' : (!has(self.status) || !has(self.status.createdAt) || ' +
        `self.spec.cancellation.at >= self.status.createdAt - ${TOLERANCE}))`,
      message: 'cancellation.at must not be before the creation of the case',
    },
    {
      // Only a transition rule at the root can read the status.
      rule:
        'has(oldSelf.spec.cancellation) || !has(self.spec.cancellation) || ' +
        '!has(oldSelf.status) || !has(oldSelf.status.phase) || ' +
        "oldSelf.status.phase in ['NEW', 'IN_PROGRESS']",
      message: ERRORS.CASE_NOT_CANCELLABLE.message,
    },
  ],
  spec: [
    {
      rule:
        '!has(self.uploadRequestedAt) || (has(oldSelf.uploadRequestedAt) && ' +
        'self.uploadRequestedAt == oldSelf.uploadRequestedAt) || ' +
        '((!has(self.creation) || ' +
        `self.uploadRequestedAt >= self.creation.at - ${TOLERANCE}) && ` +
        `self.uploadRequestedAt <= self.definition.validUntil + ${TOLERANCE})`,
      message: 'uploadRequestedAt must be between the creation of the case and validUntil',
    },
    stays('creation'),
    stays('cancellation'),
    {
      rule:
        '!has(oldSelf.signatures) || (has(self.signatures) && oldSelf.signatures.all(o, ' +
        'self.signatures.exists(s, s.participantId == o.participantId && s == o)))',
      message: 'signatures can only be added',
    },
    {
      rule:
        '!has(oldSelf.invitations) || (has(self.invitations) && oldSelf.invitations.all(o, ' +
        'self.invitations.exists(i, i.requestId == o.requestId && i == o)))',
      message: 'invitations can only be added',
    },
  ],
}

const SIGNATURE_CASE: CustomResource = {
  kind: KIND,
  plural: 'signaturecases',
  singular: 'signaturecase',
  shortNames: ['sigc'],
  scope: 'Namespaced',
  description: 'A case that collects signatures of its participants on a PDF',
  spec: CaseSpec,
  status: CaseStatus,
  columns: [
    {
      name: 'Phase',
      type: 'string',
      jsonPath: '.status.phase',
      description: 'State of the case',
    },
    {
      name: 'Signed',
      type: 'string',
      jsonPath: '.status.signed',
      description: 'Number of participants who signed, and of all participants',
    },
    {
      name: 'Valid Until',
      type: 'string',
      jsonPath: '.spec.definition.validUntil',
      description: 'Deadline for signatures',
    },
    AGE,
    {
      name: 'Title',
      type: 'string',
      jsonPath: '.spec.definition.title',
      description: 'Title of the case',
      priority: 1,
    },
    {
      name: 'Pages',
      type: 'integer',
      jsonPath: '.status.document.pageCount',
      description: 'Number of pages of the document',
      priority: 1,
    },
    {
      name: 'Waiting',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Ended")].message',
      description: 'What the case waits for',
      priority: 1,
    },
  ],
  overlay: {
    rules: CASE_RULES,
    listMapKeys: {
      'spec.signatures': ['participantId', 'factId'],
      'spec.invitations': ['requestId'],
      'status.conditions': ['type'],
    },
    defaults: {
      'spec.signatures': [],
      'spec.definition.quickSign': false,
      'spec.definition.participants[].notify': true,
      'spec.definition.participants[].language': LANGUAGES.find((one) => one === 'en'),
      'spec.definition.participants[].signatureFields': [],
    },
    derived: [
      'spec.creation',
      'spec.definition.participants[].id',
      'spec.definition.participants[].signatureFields[].id',
    ],
  },
}

const KIOSK_DEVICE: CustomResource = {
  kind: DEVICE_KIND,
  plural: 'kioskdevices',
  singular: 'kioskdevice',
  shortNames: ['kiosk'],
  scope: 'Namespaced',
  description: 'A kiosk of a tenant, and the case that it shows',
  spec: DeviceSpec,
  columns: [
    {
      name: 'Name',
      type: 'string',
      jsonPath: '.spec.name',
      description: 'Display name of the kiosk',
    },
    {
      name: 'Shows',
      type: 'string',
      jsonPath: '.spec.handOver.state',
      description: 'Whether the kiosk shows a case',
    },
    {
      name: 'Case',
      type: 'string',
      jsonPath: '.spec.handOver.caseId',
      description: 'Case of the latest handover',
    },
    AGE,
  ],
  overlay: { rules: { '': [NAME_IS_UUID] } },
}

const TENANT: CustomResource = {
  kind: TENANT_KIND,
  plural: 'tenants',
  singular: 'tenant',
  shortNames: [],
  scope: 'Cluster',
  description: 'A customer of the service: its namespace and its identity tokens',
  spec: TenantSpec,
  status: TenantStatus,
  columns: [
    {
      name: 'Namespace',
      type: 'string',
      jsonPath: '.spec.namespace',
      description: 'Namespace of the cases',
    },
    {
      name: 'Ready',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Ready")].status',
      description: 'Whether the namespace and the role bindings are ready',
    },
    AGE,
    {
      name: 'Retention',
      type: 'integer',
      jsonPath: '.spec.retentionDays',
      description: 'Days for which a case is kept after its end',
      priority: 1,
    },
    {
      name: 'Issuer',
      type: 'string',
      jsonPath: '.spec.identity.issuer',
      description: 'Issuer of the tokens of the tenant',
      priority: 1,
    },
  ],
  overlay: {
    rules: {
      spec: [
        // `namespace` is a reserved word of CEL and therefore needs underscores.
        {
          rule: 'self.__namespace__ == oldSelf.__namespace__',
          message: 'namespace cannot be changed',
        },
      ],
      'spec.embedding.origins[]': [
        {
          rule: "self.startsWith('https:') ? !self.endsWith(':443') : !self.endsWith(':80')",
          message: 'the standard port must be left out, as browsers do',
        },
      ],
    },
    listMapKeys: { 'status.conditions': ['type'] },
  },
}

export const CUSTOM_RESOURCES: readonly CustomResource[] = [SIGNATURE_CASE, KIOSK_DEVICE, TENANT]
