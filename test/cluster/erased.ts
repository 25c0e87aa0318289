/** A case on a cluster that is DONE and then erased: what goes, and what can be proven after it. */
import t from 'tap'
import type { VerificationUploadAnswer } from '../../domain/contract/answers.ts'
import { ERASE_ANNOTATION } from '../../domain/cases/erasure.ts'
import { WITH_VALUES_TYPE } from '../../domain/audit/stored.ts'
import { caseFolder } from '../../domain/cases/keys.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { verifyEvidence } from '../../cli/evidence/verify.ts'
import type { Client } from '../e2e/client.ts'
import { bucketOf } from '../fixtures/bucket.ts'
import { TENANT, type TestCluster } from '../fixtures/local-cluster.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { until } from '../fixtures/until.ts'

const PATIENCE_MS = 60_000
const MAXIMUM_OBJECTS = 1_000

async function doneCase(client: Client): Promise<string> {
  const people = [{ firstName: 'Miroslava', lastName: 'Vymazaná', email: 'vymaz@example.com' }]
  const { case: created, upload } = await client.create('Secret contract', people, {
    quickSign: true,
  })
  await client.upload(upload.url, await smallDocument())
  const [participant] = (await client.untilNot('NEW', created.id)).participants
  await client.sign(participant?.signerUrl ?? '')
  await client.untilNot('IN_PROGRESS', created.id)
  return created.id
}

async function isIssued(client: Client, pdf: Uint8Array): Promise<boolean> {
  const json = async (path: string, body?: unknown) =>
    (await client.request('POST', path, { body })).json() as Promise<Record<string, unknown>>
  const { key, upload } = await json('/verify/uploads', { size: pdf.length })
  const { url, headers } = upload as VerificationUploadAnswer['upload']
  await client.upload(url, pdf, headers)
  return (await json('/verify', { key: String(key) }))['issuedByService'] === true
}

/** Links of the evidence that do not hold, except that of the root, which was not confirmed. */
export async function brokenLinks(evidence: Uint8Array, signed: Uint8Array): Promise<string[]> {
  const faults: string[] = []
  for await (const { holds, link } of verifyEvidence({ evidence, signed, now: new Date() })) {
    if (!holds) faults.push(link)
  }
  return faults.filter((link) => link !== 'the root certificate is a trusted one')
}

/** Declares the test. */
export function erasedOn(runtime: string, cluster: TestCluster): void {
  const { admin, environment } = cluster
  const folderOf = (caseId: string) => caseFolder({ tenant: TENANT, caseId })
  const bucket = bucketOf(environment)
  /** Reads each object, because listings of S3-compatible stores lack its type. */
  const stats = async (caseId: string) => {
    const listed = await bucket.list(folderOf(caseId), { limit: MAXIMUM_OBJECTS })
    const read = await Promise.all(listed.map(({ key }) => bucket.stat(key)))
    return read.filter((one) => one !== undefined)
  }
  const files = async (caseId: string) =>
    (await stats(caseId)).map(({ key }) => key.slice(folderOf(caseId).length))

  t.test(`${runtime}: a case is erased by its annotation, and what it proved holds`, async (t) => {
    const client = await cluster.client(PATIENCE_MS)
    const caseId = await doneCase(client)
    const path = `/apis/sigcase.dev/v1/namespaces/${TENANT}/signaturecases/${caseId}`
    const resource = () => admin.send<SignatureCase>({ path })
    const { signedDocument, evidenceDocument } = await client.get(caseId)
    const signed = await client.download(signedDocument?.url ?? '')
    const evidence = await client.download(evidenceDocument?.url ?? '')
    t.ok((await stats(caseId)).some((one) => one.contentType === WITH_VALUES_TYPE))
    const annotations = { [ERASE_ANNOTATION]: caseId }
    await admin.send({ method: 'PATCH', path, body: { metadata: { annotations } } })
    await until(async () => (await resource()).status?.erasure?.erasedAt !== undefined)
    const kept = ['audit', 'audit-heads', 'certificates', 'receipts', 'tombstone.json']
    const left = (await files(caseId)).map((name) => name.split('/')[0] ?? '')
    t.same(
      left.filter((name) => !kept.includes(name)),
      [],
    )
    t.notOk((await stats(caseId)).some((one) => one.contentType === WITH_VALUES_TYPE))
    t.match(
      (await resource()).status?.conditions.find(({ type }) => type === 'Erased'),
      { status: 'True', reason: 'Erased' },
    )
    const after = await client.get(caseId)
    t.notOk(after.signedDocument?.url)
    t.equal(after.signedDocument?.sha256, signedDocument?.sha256)
    t.equal((await client.events(caseId)).at(-1)?.type, 'case.completed')
    t.equal((await fetch(signedDocument?.url ?? '')).status, 404)
    t.ok(await isIssued(client, signed), 'the signed PDF is known as ours')
    t.ok(await isIssued(client, evidence), 'and the evidence')
    t.same(await brokenLinks(evidence, signed), [], 'copies verify offline')
  })
}
