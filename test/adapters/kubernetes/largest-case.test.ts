/** The largest case that is accepted, with everything that people can state, on a real etcd. */
import t from 'tap'
import { KubernetesCaseStore } from '../../../adapters/kubernetes/case-store.ts'
import { LARGEST, MAXIMUM_CASE_BYTES, worstCaseBytes } from '../../../domain/cases/case-size.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import { uuidV5 } from '../../../domain/ids.ts'
import {
  MAXIMUM_FIELDS_PER_PARTICIPANT,
  MAXIMUM_INVITATION_REQUESTS,
  MAXIMUM_NAME_LENGTH,
  MAXIMUM_PARTICIPANTS,
  MAXIMUM_REASON_LENGTH,
} from '../../../domain/limits.ts'
import { makeNamespaces, withCluster } from '../../fixtures/kubernetes-api.ts'
import { CASE_ID, participant, signatureCase, TENANT } from '../../fixtures/signature-case.ts'

t.setTimeout(600_000)

/** Between the bound and the largest case below it. */
const SLACK_BYTES = 10_000

/** Each write of such a case takes the API server about a second. */
const FACTS_PER_WRITE = 10

/** A case with ids of so many two-octet letters, the rest of their hundred being digits. */
function caseWith(letters: number): SignatureCase {
  const [field] = participant(1).signatureFields
  const signatureFields = Array.from({ length: MAXIMUM_FIELDS_PER_PARTICIPANT }, (_, index) => ({
    ...field!,
    id: 'ž'.repeat(letters) + String(index).padStart(MAXIMUM_NAME_LENGTH - letters, '0'),
  }))
  const participants = Array.from({ length: MAXIMUM_PARTICIPANTS }, (_, index) => {
    const id = uuidV5(CASE_ID, 'participant', String(index))
    return participant(index + 1, { id, signatureFields })
  })
  return signatureCase({ participants })
}

function largestCase(): SignatureCase {
  let value = caseWith(0)
  for (let letters = 1; letters < MAXIMUM_NAME_LENGTH - 2; letters++) {
    const next = caseWith(letters)
    if (worstCaseBytes(next) > MAXIMUM_CASE_BYTES) break
    value = next
  }
  return value
}

await withCluster(async ({ admin }) => {
  await makeNamespaces(admin, [TENANT])
  const store = new KubernetesCaseStore(admin, { warn: () => {} })

  t.test('every signature of the largest case is stored, and its end', async (t) => {
    const { status: _, ...value } = largestCase()
    const bound = worstCaseBytes(value)
    t.ok(bound > MAXIMUM_CASE_BYTES - SLACK_BYTES, `${bound} octets`)
    let current = await store.create({
      ...value,
      metadata: { name: CASE_ID, namespace: TENANT },
    })
    const write = async (more: Partial<SignatureCase['spec']>) => {
      current = await store.replaceSpec({ ...current, spec: { ...current.spec, ...more } })
    }
    const invitations = Array.from({ length: MAXIMUM_INVITATION_REQUESTS }, (_, index) => ({
      ...LARGEST.invitation,
      requestId: uuidV5(CASE_ID, `invitation ${index}`),
    }))
    await write({ invitations })
    const facts = current.spec.definition.participants.map(({ id }) => {
      return { ...LARGEST.fact, participantId: id, factId: uuidV5(id, 'fact') }
    })
    for (let at = 0; at < facts.length; at += FACTS_PER_WRITE) {
      await write({ signatures: facts.slice(0, at + FACTS_PER_WRITE) })
    }
    t.equal(current.spec.signatures.length, MAXIMUM_PARTICIPANTS)
    await write({ cancellation: LARGEST.cancellation })
    const { status } = signatureCase({ phase: 'CANCELLED' })
    const condition = {
      status: 'True' as const,
      reason: 'statedTimeOutOfBounds',
      message: '<'.repeat(MAXIMUM_REASON_LENGTH),
      lastTransitionTime: LARGEST.fact.signedAt,
    }
    const types = ['Invalid', 'SignatureIgnored', 'Delayed', 'Done', 'Ended', 'Settled']
    const conditions = types.map((type) => ({ ...condition, type }))
    current = await store.replaceStatus({ ...current, status: { ...status!, conditions } })
    t.equal(current.status?.conditions.length, types.length)
    const path = `/apis/sigcase.dev/v1/namespaces/${TENANT}/signaturecases/${CASE_ID}`
    const stored = Buffer.byteLength(JSON.stringify(await admin.send({ path })))
    t.ok(stored <= bound, `${stored} of at most ${bound} octets`)
  })
})
