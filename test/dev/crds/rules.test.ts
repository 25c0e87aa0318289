/** The rules of the custom resources, judged by the CRD layer of the newest Kubernetes. */
import t from 'tap'
import { ApiRefusal } from '../../../adapters/kubernetes/api-server.ts'
import { KubernetesCaseStore } from '../../../adapters/kubernetes/case-store.ts'
import type { SignatureCase } from '../../../domain/cases/signature-case.ts'
import type { InvitationRequest, SignatureFact } from '../../../domain/cases/spec.ts'
import { ERRORS } from '../../../domain/errors.ts'
import { uuidV5 } from '../../../domain/ids.ts'
import {
  MAXIMUM_FIELDS_PER_PARTICIPANT,
  MAXIMUM_INVITATION_REQUESTS,
  MAXIMUM_PARTICIPANTS,
} from '../../../domain/limits.ts'
import { handOver } from '../../../domain/devices/handover.ts'
import { device, DEVICE_ID } from '../../fixtures/device.ts'
import { makeNamespaces, withCrdLayer } from '../../fixtures/kubernetes-api.ts'
import {
  CASE_ID,
  participant,
  signature,
  signatureCase,
  TENANT,
  type CaseOptions,
} from '../../fixtures/signature-case.ts'

const CASES = `/apis/sigcase.dev/v1/namespaces/${TENANT}/signaturecases`
const AT = '2026-11-02T09:00:00.000Z'
const STATUS = signatureCase({ phase: 'IN_PROGRESS' }).status!

let made = 0

/** A case with a name of its own, as it is created. */
function newCase(options: CaseOptions = {}): SignatureCase {
  const { status: _, ...one } = signatureCase(options)
  return { ...one, metadata: { name: uuidV5(CASE_ID, String(made++)), namespace: TENANT } }
}

await withCrdLayer(async (newest, { admin }) => {
  await makeNamespaces(admin, [TENANT])
  const store = new KubernetesCaseStore(newest, { warn: () => {} })

  const refusal = async (write: Promise<unknown>): Promise<string> => {
    try {
      await write
    } catch (error) {
      if (error instanceof ApiRefusal && error.status === 422) return error.message
      throw error
    }
    return 'accepted'
  }
  /** Writes the whole spec, as a person may; the store writes facts alone. */
  const put = (body: SignatureCase) =>
    newest.send({ method: 'PUT', path: `${CASES}/${body.metadata.name}`, body })
  const post = (body: object) => newest.send({ method: 'POST', path: CASES, body })

  t.test('a case as the API makes it is accepted, and so are its facts and status', async (t) => {
    const created = await store.create(newCase())
    const [first, second] = created.spec.definition.participants
    const signed = await store.replaceSpec({
      ...created,
      spec: { ...created.spec, signatures: [signature(first!)] },
    })
    const settled = await store.replaceStatus({ ...signed, status: STATUS })
    const whole = await store.replaceSpec({
      ...settled,
      spec: { ...settled.spec, signatures: [signature(first!), signature(second!)] },
    })
    const spec = { ...whole.spec, cancellation: { at: AT } }
    t.same((await store.replaceSpec({ ...whole, spec })).spec, spec)
  })

  t.test('the largest case is within the cost budget', async (t) => {
    const field = participant(1).signatureFields[0]!
    const signatureFields = Array.from({ length: MAXIMUM_FIELDS_PER_PARTICIPANT }, (_, index) => ({
      ...field,
      id: `f${index}`,
    }))
    const participants = Array.from({ length: MAXIMUM_PARTICIPANTS }, (_, index) =>
      participant(index + 1, { signatureFields }),
    )
    const created = await store.create(newCase({ participants }))
    const signatures = participants.map((one) => signature(one, { fieldIds: ['f1'] }))
    const signed = await store.replaceSpec({ ...created, spec: { ...created.spec, signatures } })
    t.equal(signed.spec.signatures.length, MAXIMUM_PARTICIPANTS)
  })

  t.test('a name that is not a UUID is refused', async (t) => {
    const one = newCase()
    const named = { ...one, metadata: { ...one.metadata, name: 'contract' } }
    t.match(await refusal(store.create(named)), /metadata\.name must be a UUID in lower case/)
  })

  t.test('a field outside its page gets the sentence of the API', async (t) => {
    const within = (x: number) => {
      const field = {
        id: 'f',
        page: 1,
        x,
        y: 0.5,
        width: 0.5,
        height: 0.5,
        unit: 'fraction' as const,
      }
      return newCase({ participants: [participant(1, { signatureFields: [field] })] })
    }
    t.equal(await refusal(store.create(within(0.5))), 'accepted')
    t.equal(await refusal(store.create(within(0))), 'accepted')
    t.match(await refusal(store.create(within(0.6))), /must be inside the page/)
  })

  t.test('bounds and formats are those of the schema', async (t) => {
    const bad: [object, RegExp][] = [
      [{ title: '' }, /title.*at least 1 char/],
      [{ title: 'x'.repeat(256) }, /title.*(longer|more) than 255/],
      [{ validUntil: 'tomorrow' }, /validUntil.*date-time/],
      [{ participants: [] }, /participants.*at least 1 item/],
      [{ multiFactorType: 'PIGEON' }, /multiFactorType.*supported values/],
      [{ participants: [participant(1, { email: 'nobody' })] }, /email/],
    ]
    for (const [definition, message] of bad) {
      t.match(await refusal(store.create(newCase({ definition }))), message)
    }
  })

  t.test('what people said stays as it was said', async (t) => {
    const [first] = signatureCase().spec.definition.participants
    const fact = signature(first!)
    const created = await store.create(newCase({ signatures: [fact] }))
    const change = (spec: Partial<SignatureCase['spec']>) =>
      refusal(put({ ...created, spec: { ...created.spec, ...spec } }))
    const definition = { ...created.spec.definition, title: 'Other' }
    t.match(await change({ definition }), /definition cannot be changed/)
    const creation = { ...created.spec.creation, ip: '192.0.2.9' }
    t.match(await change({ creation }), /creation cannot be changed/)
    t.match(await change({ signatures: [] }), /signatures can only be added/)
    const later = { ...fact, signedAt: '2026-11-03T09:00:00.000Z' }
    t.match(await change({ signatures: [later] }), /signatures can only be added/)
    const other: SignatureFact = { ...fact, factId: uuidV5(CASE_ID, 'other') }
    t.equal(await change({ signatures: [other, fact] }), 'accepted')
    const { signatures: _, ...without } = created.spec
    const whole = await store.get({ tenant: TENANT, caseId: created.metadata.name })
    const removal = { ...whole!, spec: without as SignatureCase['spec'] }
    t.match(await refusal(put(removal)), /signatures can only be added/)
  })

  t.test('invitations that were asked for can only be added', async (t) => {
    const ask = (name: string, at = AT): InvitationRequest => {
      const participantId = participant(1).id
      return { requestId: uuidV5(CASE_ID, name), participantId, at, ip: '192.0.2.1' }
    }
    const created = await store.create(newCase())
    const { spec } = created
    const asked = await store.replaceSpec({
      ...created,
      spec: { ...spec, invitations: [ask('first')] },
    })
    const change = (invitations?: InvitationRequest[]) =>
      refusal(put({ ...asked, spec: { ...spec, ...(invitations && { invitations }) } }))
    const onlyAdded = /invitations can only be added/
    t.match(await change(), onlyAdded)
    t.match(await change([]), onlyAdded)
    t.match(await change([ask('second')]), onlyAdded)
    t.match(await change([ask('first', '2026-11-02T09:00:01.000Z')]), onlyAdded)
    t.match(await change([ask('first'), ask('first', '2026-11-02T09:00:01.000Z')]), /Duplicate/)
    t.equal(await change([ask('second'), ask('first')]), 'accepted')
  })

  t.test('as many invitations as a case takes are within the cost budget', async (t) => {
    const created = await store.create(newCase())
    const invitations = Array.from({ length: MAXIMUM_INVITATION_REQUESTS }, (_, index) => ({
      requestId: uuidV5(CASE_ID, `invitation ${index}`),
      participantId: participant(1).id,
      at: AT,
      ip: '192.0.2.1',
      userAgent: 'a'.repeat(500),
    }))
    const most = { ...created.spec, invitations: invitations.slice(1) }
    const asked = await store.replaceSpec({ ...created, spec: most })
    const all = await store.replaceSpec({ ...asked, spec: { ...most, invitations } })
    t.equal(all.spec.invitations?.length, MAXIMUM_INVITATION_REQUESTS)
  })

  t.test('a cancellation stays, and an ended case takes none', async (t) => {
    const created = await store.create(newCase())
    const cancelled = await store.replaceSpec({
      ...created,
      spec: { ...created.spec, cancellation: { at: AT, reason: 'no longer needed' } },
    })
    const again = { ...cancelled.spec, cancellation: { at: AT, reason: 'other' } }
    const message = await refusal(store.replaceSpec({ ...cancelled, spec: again }))
    t.match(message, /cancellation cannot be changed/)
    t.match(await refusal(put({ ...cancelled, spec: created.spec })), /cancellation/)
    const other = await store.create(newCase())
    const ended = await store.replaceStatus({ ...other, status: { ...STATUS, phase: 'DONE' } })
    const late = { ...ended.spec, cancellation: { at: AT } }
    const { message: sentence } = ERRORS.CASE_NOT_CANCELLABLE
    t.match(await refusal(store.replaceSpec({ ...ended, spec: late })), sentence)
  })

  t.test('a cancellation is not older than its case', async (t) => {
    const refused = /cancellation\.at must not be before the creation of the case/
    const cancel = (one: SignatureCase, at: string) =>
      refusal(store.replaceSpec({ ...one, spec: { ...one.spec, cancellation: { at } } }))
    const created = await store.create(newCase())
    t.match(await cancel(created, '2020-01-01T00:00:00Z'), refused)
    const second = new Date(Date.parse(created.spec.creation.at) - 30_000).toISOString()
    t.equal(await cancel(created, second), 'accepted', 'clocks differ')
    const { creation: _, ...spec } = newCase().spec
    const body = { ...newCase(), spec: spec as SignatureCase['spec'] }
    const applied = await store.create(body)
    const status = { ...STATUS, createdAt: applied.metadata.creationTimestamp! }
    const accepted = await store.replaceStatus({ ...applied, status })
    t.match(await cancel(accepted, '2020-01-01T00:00:00Z'), refused)
    t.equal(await cancel(accepted, status.createdAt), 'accepted')
  })

  t.test('an upload URL is asked for while the case lives', async (t) => {
    const refused = /uploadRequestedAt must be between the creation of the case and validUntil/
    const created = await store.create(newCase())
    const ask = (uploadRequestedAt: string) =>
      refusal(store.replaceSpec({ ...created, spec: { ...created.spec, uploadRequestedAt } }))
    t.match(await ask('2999-01-01T00:00:00Z'), refused)
    t.match(await ask('2020-01-01T00:00:00Z'), refused)
    t.equal(await ask(AT), 'accepted')
  })

  t.test('what a person who applies a case leaves out is filled in', async (t) => {
    const { firstName, lastName, email } = participant(1)
    const { metadata, apiVersion, kind } = newCase()
    const field = { page: 1, x: 1, y: 1, width: 9, height: 9, unit: 'pt' }
    const people = [
      { firstName, lastName, email },
      { firstName, lastName, email, signatureFields: [field] },
    ]
    const definition = { title: 'Contract', validUntil: AT, participants: people }
    await post({ apiVersion, kind, metadata, spec: { definition } })
    const seen = await newest.send<SignatureCase>({ path: `${CASES}/${metadata.name}` })
    t.match(seen.spec, {
      signatures: [],
      definition: {
        quickSign: false,
        participants: [{ notify: true, language: 'en', signatureFields: [] }],
      },
    })
  })

  t.test('a kiosk is named by a UUID as well', async (t) => {
    const path = `/apis/sigcase.dev/v1/namespaces/${TENANT}/kioskdevices`
    const one = device()
    const shown = handOver(one, { state: 'open', caseId: CASE_ID, participantId: CASE_ID }, 1)
    for (const name of [DEVICE_ID, 'reception']) {
      const body = { ...shown, metadata: { name, namespace: TENANT } }
      const outcome = await refusal(newest.send({ method: 'POST', path, body }))
      t.match(outcome, name === DEVICE_ID ? /^accepted$/ : /must be a UUID in lower case/)
    }
  })

  t.test("a tenant's namespace stays, and its sites are origins", async (t) => {
    const path = '/apis/sigcase.dev/v1/tenants'
    const identity = {
      issuer: 'https://issuer.example',
      audience: 'sigcase',
      claim: 'org',
      value: 'acme',
    }
    const body = {
      apiVersion: 'sigcase.dev/v1',
      kind: 'Tenant',
      metadata: { name: 'acme' },
      spec: { namespace: 'acme', identity },
    }
    const tenant = await newest.send<typeof body>({ method: 'POST', path, body })
    const moved = { ...tenant, spec: { ...tenant.spec, namespace: 'other' } }
    const move = newest.send({ method: 'PUT', path: `${path}/acme`, body: moved })
    t.match(await refusal(move), /namespace cannot be changed/)
    for (const [origins, outcome] of [
      [['https://app.example.com', 'http://localhost:3000', 'http://[::1]:5173'], 'accepted'],
      [
        ['https://app.example.com:8443', 'https://a.example:80', 'http://127.0.0.1:443'],
        'accepted',
      ],
      [['https://app.example.com:443'], 'the standard port must be left out'],
      [['http://localhost:80'], 'the standard port must be left out'],
      [['http://app.example.com'], 'should match'],
      [['*'], 'should match'],
      [["https://a.example; script-src 'unsafe-inline'"], 'should match'],
      [['https://a.example/'], 'should match'],
      [Array.from({ length: 21 }, (_, n) => `https://a${n}.example`), 'at most 20 items'],
    ] as const) {
      const current = await newest.send<typeof body>({ method: 'GET', path: `${path}/acme` })
      const embedding = { origins }
      const changed = { ...current, spec: { ...current.spec, embedding } }
      const put = newest.send({ method: 'PUT', path: `${path}/acme`, body: changed })
      t.match(await refusal(put), outcome, origins.join(' ').slice(0, 60))
    }
  })
})
