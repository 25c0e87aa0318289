/** `npm run verify` with a policy file and with other forms of the report. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { SoftwareKeys } from '../../../adapters/embedded/software-keys.ts'
import type { CoreReport } from '../../../domain/contract/validation-report.ts'
import { verifyListSignature } from '../../../trusted-lists/list-signature.ts'
import { readPolicyFile, trustOfPolicy } from '../../../cli/verify/policy-file.ts'
import { root } from '../../fixtures/pki.ts'
import { pem } from '../../pades/cms/openssl.ts'
import { OPTIONS, signSample } from '../../pades/validate/sample.ts'
import { callTool } from '../../fixtures/call-tool.ts'

const cwd = t.testdir({ data: {}, roots: {} })
writeFileSync(join(cwd, 'signed.pdf'), await signSample())
writeFileSync(join(cwd, 'roots/root.pem'), pem(root.certificate))
const validationTime = OPTIONS.validationTime.toISOString()
const env = { DATA_DIR: join(cwd, 'data') }
const verify = (...args: string[]) =>
  callTool('cli/verify.ts', ['signed.pdf', ...args], { cwd, env })

const POLICY = { id: 'test', version: 3, trust: { certificates: ['roots'] }, validationTime }

function writePolicy(policy: unknown): Buffer {
  const text = typeof policy === 'string' ? policy : JSON.stringify(policy)
  writeFileSync(join(cwd, 'policy.json'), text)
  return Buffer.from(text)
}

t.test('the policy decides trust and time, and every report names it', async (t) => {
  const sha256 = createHash('sha256').update(writePolicy(POLICY)).digest('hex')
  const { code, stdout } = await verify('--policy', 'policy.json', '--format', 'json')
  t.equal(code, 0)
  const report = JSON.parse(stdout) as CoreReport
  t.same(report.policy, { id: 'test', version: 3, formFilling: 'notPermitted', sha256 })
  t.equal(report.validationTime, validationTime)
  const text = await verify('--policy', 'policy.json')
  t.match(text.stdout, `test 3, form filling notPermitted, SHA-256 ${sha256}`)
  t.match(text.stdout, /trusted +roots \(policy\)/)
  const etsi = await verify('--policy', 'policy.json', '--format', 'etsi')
  t.match(etsi.stdout, Buffer.from(sha256, 'hex').toString('base64'))
})

t.test('a policy without trusted roots', async (t) => {
  writePolicy({ ...POLICY, trust: {} })
  t.equal((await verify('--policy', 'policy.json')).code, 3)
})

t.test('an algorithm that has expired', async (t) => {
  const expired = [{ algorithm: 'ec', belowBits: 384, until: '2026-01-01T00:00:00Z' }]
  writePolicy({ ...POLICY, algorithms: expired })
  const { code, stdout } = await verify('--policy', 'policy.json')
  t.equal(code, 3)
  t.match(stdout, 'ALGORITHM_TOO_WEAK')
  writePolicy({ ...POLICY, algorithms: [{ ...expired[0], until: '2026-12-01T00:00:00Z' }] })
  t.equal((await verify('--policy', 'policy.json')).code, 0, 'not yet')
})

t.test('options that contradict the policy or each other are refused', async (t) => {
  writePolicy(POLICY)
  const refused = [
    ['--policy', 'policy.json', '--trust', 'roots/root.pem'],
    ['--policy', 'policy.json', '--time', validationTime],
    ['--json', '--format', 'etsi'],
  ]
  for (const args of refused) t.equal((await verify(...args)).code, 2, args.join(' '))
})

t.test('a file that is not a policy is refused with the place of the fault', async (t) => {
  const faults: [unknown, RegExp][] = [
    ['{', /^policy\.json is not a policy: not JSON/],
    ['{"id":"a","version":1,"version":2}', /\/version: the name occurs twice/],
    [{ ...POLICY, more: 1 }, /\/more: Unexpected property/],
    [' '.repeat(300_000), /too large/],
  ]
  for (const [policy, message] of faults) {
    writePolicy(policy)
    t.throws(() => readPolicyFile('policy.json', cwd), { name: 'UsageError', message })
  }
  t.throws(() => readPolicyFile('missing.json', cwd), { name: 'UsageError' })
  writePolicy({ ...POLICY, trust: { certificates: ['none.pem'] } })
  const named = readPolicyFile('policy.json', cwd)
  await t.rejects(trustOfPolicy(named, new Date()), { message: /names none\.pem/ })
})

t.test('--format etsi --seal: XML with the seal of the service', async (t) => {
  writePolicy(POLICY)
  const form = ['--policy', 'policy.json', '--format', 'etsi', '--seal', '--out', 'report.xml']
  t.match(await verify(...form), { code: 2, stderr: /has no keys/ })
  mkdirSync(join(cwd, 'data'), { recursive: true })
  const keys = await SoftwareKeys.open(join(cwd, 'data/keys'), new Date(), '')
  const { code, stdout } = await verify(...form)
  t.match({ code, stdout }, { code: 0, stdout: '' })
  const { certificates } = await keys.describe('seal')
  const xml = readFileSync(join(cwd, 'report.xml'))
  const { root: report } = await verifyListSignature(xml, certificates.slice(0, 1))
  t.equal(report.name, 'ValidationReport')
})

t.test('--format pdf writes a PDF to --out', async (t) => {
  writePolicy(POLICY)
  const form = ['--policy', 'policy.json', '--format', 'pdf', '--out', 'report.pdf']
  t.equal((await verify(...form)).code, 0)
  t.equal(readFileSync(join(cwd, 'report.pdf')).toString('latin1', 0, 5), '%PDF-')
})
