/** Reads `audit.json` and refuses every deviation from its schema. */
import { Type, type Static } from '@sinclair/typebox'
import { AUDIT_EVENT_TYPES, type AuditEntry } from '../../domain/audit/entry.ts'
import { findSchemaFault } from '../../domain/schema-faults.ts'
import type { AuditFile } from '../../workers/evidence/audit-file.ts'

const strict = { additionalProperties: false }
const oneOf = <T extends string>(values: readonly T[]) =>
  Type.Union(values.map((value) => Type.Literal(value)))
const hash = Type.String({ pattern: '^[0-9a-f]{64}$' })
const name = Type.String({ minLength: 1, maxLength: 255 })

const Entry = Type.Object(
  {
    version: Type.Literal(1),
    tenant: name,
    caseId: name,
    sequence: Type.Integer({ minimum: 1 }),
    previous: hash,
    eventId: name,
    type: oneOf(AUDIT_EVENT_TYPES),
    occurredAt: name,
    actor: oneOf(['tenant', 'participant', 'system']),
    participantId: Type.Optional(name),
    documentSha256: Type.Optional(hash),
    commitments: Type.Record(Type.String(), hash),
  },
  strict,
)
const PersonalValue = Type.Object({ salt: name, value: Type.Unknown() }, strict)
const Opening = Type.Object(
  {
    ip: Type.Optional(PersonalValue),
    userAgent: Type.Optional(PersonalValue),
    data: Type.Optional(PersonalValue),
  },
  strict,
)
const File = Type.Object(
  {
    version: Type.Literal(1),
    tenant: name,
    caseId: name,
    entries: Type.Array(Entry, { minItems: 1, maxItems: 100_000 }),
    openings: Type.Record(Type.String(), Opening),
    head: Type.Object({ sequence: Type.Integer(), hash }, strict),
  },
  strict,
)

/**
 * Reads the trail of an evidence PDF.
 *
 * @throws Error with the position of the first deviation
 */
export function readAuditFile(bytes: Uint8Array): AuditFile {
  const parsed: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  const fault = findSchemaFault(File, parsed)
  if (fault) throw new Error(`${fault.path || 'the file'}: ${fault.message}`)
  const file = parsed as Static<typeof File>
  return { ...file, entries: file.entries as AuditEntry[] }
}
