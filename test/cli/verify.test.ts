/** `npm run verify`: the report for people and programs, and the exit code by indication. */
import { Buffer } from 'node:buffer'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { minimalPdf } from '../fixtures/minimal-pdf.ts'
import { root } from '../fixtures/pki.ts'
import { OPTIONS, signerRequest, signSample } from '../pades/validate/sample.ts'
import { signer } from '../fixtures/pki.ts'
import { callTool } from '../fixtures/call-tool.ts'
import { runTool } from '../fixtures/run-tool.ts'

const pem = [
  '-----BEGIN CERTIFICATE-----',
  Buffer.from(root.certificate).toString('base64'),
  '-----END CERTIFICATE-----',
].join('\n')

const signed = await signSample()
const broken = Buffer.from(signed)
broken[300] ^= 1
const odd = await signSample(undefined, {
  signers: [signerRequest(await signer('Mallory\u001b[2J\u202eyrollaM'), 'Odd', 500)],
})

const cwd = t.testdir({ data: {} })
const files = { signed, broken, odd, none: minimalPdf(), text: Buffer.from('hello') }
for (const [name, bytes] of Object.entries(files)) writeFileSync(join(cwd, `${name}.pdf`), bytes)
writeFileSync(join(cwd, 'root.pem'), pem)
const env = { DATA_DIR: join(cwd, 'data') }
const time = ['--time', OPTIONS.validationTime.toISOString()]
const verify = (...args: string[]) => callTool('cli/verify.ts', args, { cwd, env })
const TRUST = ['--trust', 'root.pem', ...time]

t.test('a genuine file: a sentence, the signers, exit code 0', async (t) => {
  const args = ['signed.pdf', ...TRUST]
  const { code, stdout } = await runTool('cli/verify.ts', args, { cwd, env })
  t.equal(code, 0)
  const [sentence] = stdout.split('\n')
  t.match(sentence, 'signed.pdf: TOTAL_PASSED; 3 of 3 signatures valid; changed since in permitted')
  t.match(stdout, /signer +CN=Janka Žltá/)
  t.match(stdout, /trusted by +CN=Test Root/)
})

t.test('--json is the report itself', async (t) => {
  const { code, stdout } = await verify('signed.pdf', '--json', ...TRUST)
  t.equal(code, 0)
  t.match(JSON.parse(stdout), {
    reportVersion: 1,
    validationTime: OPTIONS.validationTime.toISOString(),
    summary: { indication: 'TOTAL_PASSED', signaturesCount: 3 },
  })
})

t.test('the exit code reports the indication', async (t) => {
  t.equal((await verify('signed.pdf', ...time)).code, 3, 'no root is trusted')
  const failed = await verify('broken.pdf', ...TRUST)
  t.equal(failed.code, 4)
  t.match(failed.stdout, /error +DIGEST_DIFFERS: /)
  const none = await verify('none.pdf', ...TRUST)
  t.equal(none.code, 5)
  t.match(none.stdout, /^none\.pdf: no signature$/m)
  const unreadable = await verify('text.pdf', ...TRUST)
  t.match(unreadable, { code: 1, stdout: '', stderr: /not a PDF/ })
})

t.test('names cannot steer the terminal', async (t) => {
  const { stdout } = await verify('odd.pdf', ...TRUST)
  t.match(stdout, 'Mallory')
  t.notMatch(stdout, /[\u001b\u202e]/)
})

t.test('bad usage is answered with a sentence and exit code 2', async (t) => {
  for (const args of [
    [],
    ['--json'],
    ['signed.pdf', 'more.pdf'],
    ['missing.pdf'],
    ['signed.pdf', '--time', 'yesterday'],
    ['signed.pdf', '--trust', 'signed.pdf'],
    ['signed.pdf', '--else'],
  ]) {
    const { code, stdout, stderr } = await verify(...args)
    t.equal(code, 2, args.join(' '))
    t.equal(stdout, '')
    t.match(stderr, 'usage: npm run --silent verify -- file.pdf')
  }
})

t.test('an empty DATA_DIR is none: roots are looked for in .data', async (t) => {
  const none = await callTool('cli/verify.ts', ['signed.pdf', ...time], {
    cwd,
    env: { DATA_DIR: '' },
  })
  t.match(none.stdout, 'trusted     no root')
  mkdirSync(join(cwd, '.data/keys'), { recursive: true })
  writeFileSync(join(cwd, '.data/keys/root.pem'), pem)
  const own = await callTool('cli/verify.ts', ['signed.pdf', ...time], {
    cwd,
    env: { DATA_DIR: '' },
  })
  t.equal(own.code, 0)
})
