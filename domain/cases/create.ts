/** Builds a case from the tenant's request; missing values derive from the case's id. */
import type { CaseInput } from '../contract/case-input.ts'
import { deriveFieldId, deriveParticipantId } from './complete.ts'
import { pinOf } from './secrets.ts'
import { shardLabels } from './shards.ts'
import type { Callback, CaseDefinition, ParticipantDefinition } from './definition.ts'
import { KIND, type SignatureCase } from './signature-case.ts'
import { API_VERSION } from '../resources.ts'

type ParticipantInput = CaseInput['participants'][number]

function participantOf(caseId: string, input: ParticipantInput, position: number) {
  const id = deriveParticipantId(caseId, position)
  const { notify = true, language = 'en', signatureFields = [], ...rest } = input
  const { firstName, lastName, email, phone, gender, address } = rest
  const participant: ParticipantDefinition = {
    id,
    firstName,
    lastName,
    email,
    ...(phone === undefined ? {} : { phone }),
    ...(gender === undefined ? {} : { gender }),
    ...(address === undefined ? {} : { address }),
    notify,
    language,
    signatureFields: signatureFields.map((field, index) => {
      const { page, x, y, width, height, unit } = field
      const fieldId = field.id ?? deriveFieldId(id, index)
      return { id: fieldId, page, x, y, width, height, unit }
    }),
  }
  return participant
}

function callbackOf(callback: NonNullable<CaseInput['callback']>): Callback {
  const { clientId: _i, clientSecret: _s, apiKeyValue: _v, signingSecret: _k, ...rest } = callback
  const { data, ...open } = rest
  return { ...open, ...(data === undefined ? {} : { data: JSON.stringify(data) }) }
}

function optionsOf(input: Omit<CaseInput, 'title' | 'quickSign' | 'validUntil'>) {
  const { multiFactorType, ownPlaces, callback, reminders, sender, device } = input
  return {
    ...(multiFactorType === undefined ? {} : { multiFactorType }),
    ...(ownPlaces === undefined ? {} : { ownPlaces }),
    ...(pinOf(input) === undefined ? {} : { pinRequired: true }),
    ...(callback === undefined ? {} : { callback: callbackOf(callback) }),
    ...(reminders === undefined ? {} : { reminders }),
    ...(sender === undefined ? {} : { sender }),
    // RFC 9562, 4: upper case is accepted and stored as lower case.
    ...(device === undefined ? {} : { device: { deviceId: device.deviceId.toLowerCase() } }),
  }
}

/**
 * @param creation time and origin of the request
 * @returns the new resource, without a status
 */
export function newCase(
  tenant: string,
  caseId: string,
  input: CaseInput,
  creation: { at: string; ip: string; userAgent?: string },
): SignatureCase {
  const { title, quickSign = false, validUntil, ...options } = input
  const definition: CaseDefinition = {
    title,
    validUntil: new Date(validUntil).toISOString(),
    quickSign,
    ...optionsOf(options),
    participants: input.participants.map((participant, position) =>
      participantOf(caseId, participant, position),
    ),
  }
  return {
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: {
      name: caseId,
      namespace: tenant,
      labels: shardLabels({ namespace: tenant, name: caseId }),
    },
    spec: { definition, creation, signatures: [] },
  }
}
