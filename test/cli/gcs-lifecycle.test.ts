/** The bucket gets the service's rules by the documented command, and keeps those of others. */
import { join } from 'node:path'
import t from 'tap'
import { verificationResultKey, verificationUploadKey } from '../../domain/verification.ts'
import { LIFECYCLE_RULES } from '../../adapters/gcs/lifecycle.ts'
import { deliveryKey, uploadKey, auditKey, documentKey } from '../../domain/cases/keys.ts'
import { emulatedGcs } from '../../dev/emulators/gcs/server.ts'
import { EmulatedIdentity } from '../../dev/emulators/google-identity.ts'
import { CASE_ID, CASE_KEY } from '../fixtures/signature-case.ts'
import { callTool } from '../fixtures/call-tool.ts'
import { runTool } from '../fixtures/run-tool.ts'

const BUCKET = 'cases-of-acme'

t.test('the command applies the rules once, however often it runs', async (t) => {
  const identity = new EmulatedIdentity()
  const gcs = await emulatedGcs({ bucket: BUCKET, identity })
  t.teardown(() => gcs.close())
  const other = { action: { type: 'Delete' }, condition: { age: 400 } }
  gcs.bucket.lifecycle = { rule: [other] }
  const keyFile = join(t.testdir({ 'key.json': identity.keyFile() }), 'key.json')
  const environment = {
    GCS_BUCKET: BUCKET,
    GCS_ENDPOINT: gcs.origin,
    GOOGLE_APPLICATION_CREDENTIALS: keyFile,
  }
  for (const run of [runTool, callTool]) {
    const { code, stdout, stderr } = await run('cli/gcs-lifecycle.ts', [], { env: environment })
    t.equal(code, 0, stderr)
    t.match(stdout, `${BUCKET} has 3 lifecycle rules of sigcase; 1 other rules kept`)
    t.same(gcs.bucket.lifecycle, { rule: [other, ...LIFECYCLE_RULES] })
  }
  const wrong = await callTool('cli/gcs-lifecycle.ts', [], {
    env: { ...environment, GCS_BUCKET: 'another' },
  })
  t.equal(wrong.code, 1)
  t.match(wrong.stderr, 'Cloud Storage answered 404: the bucket does not exist')
})

t.test(
  'rules concern uploads, verifications and attempts, and nothing else of a case',
  async (t) => {
    const suffixes = LIFECYCLE_RULES.flatMap(({ condition }) => condition.matchesSuffix ?? [])
    const prefixes = LIFECYCLE_RULES.flatMap(({ condition }) => condition.matchesPrefix ?? [])
    const concerns = (key: string) =>
      suffixes.some((suffix) => key.endsWith(suffix)) ||
      prefixes.some((prefix) => key.startsWith(prefix))
    t.ok(concerns(verificationUploadKey(CASE_ID)))
    t.ok(concerns(verificationResultKey({ verificationId: CASE_ID, requestId: CASE_ID })))
    t.ok(concerns(uploadKey(CASE_KEY)))
    t.ok(concerns(deliveryKey(CASE_KEY, CASE_ID, 1)))
    t.ok(concerns(deliveryKey(CASE_KEY, CASE_ID, 100)))
    t.notOk(concerns(auditKey(CASE_KEY, 1)))
    t.notOk(concerns(documentKey(CASE_KEY)))
  },
)
