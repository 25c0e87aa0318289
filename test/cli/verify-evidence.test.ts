import t from 'tap'
import { Buffer } from 'node:buffer'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../fixtures/pki.ts'
import { bundle } from './evidence/bundle.ts'
import { callTool } from '../fixtures/call-tool.ts'
import { runTool } from '../fixtures/run-tool.ts'

t.setTimeout(240_000)

const pem = [
  '-----BEGIN CERTIFICATE-----',
  Buffer.from(root.certificate).toString('base64'),
  '-----END CERTIFICATE-----',
].join('\n')

const { evidence, signed } = await bundle()
const cwd = t.testdir({ data: {} })
writeFileSync(join(cwd, 'evidence.pdf'), evidence)
writeFileSync(join(cwd, 'signed.pdf'), signed)
writeFileSync(join(cwd, 'root.pem'), pem)
const env = { DATA_DIR: join(cwd, 'data') }
const verify = (...args: string[]) => callTool('cli/verify-evidence.ts', args, { cwd, env })

t.test('genuine files: a line per link, exit code 0', async (t) => {
  const args = ['evidence.pdf', 'signed.pdf', '--trust', 'root.pem']
  const { code, stdout } = await runTool('cli/verify-evidence.ts', args, { cwd, env })
  t.equal(code, 0)
  const lines = stdout.trim().split('\n')
  t.equal(lines.at(-1), 'All links hold.')
  t.ok(lines.length > 10 && lines.slice(0, -1).every((line) => line.startsWith('ok')))
})

t.test('the root of the service on this machine is trusted unless another is given', async (t) => {
  const without = await verify('evidence.pdf', 'signed.pdf')
  t.equal(without.code, 1)
  t.match(without.stdout, /^BROKEN +the root certificate is a trusted one: .*--trust/m)
  mkdirSync(join(cwd, 'data', 'keys'))
  writeFileSync(join(cwd, 'data', 'keys', 'root.pem'), pem)
  t.equal((await verify('evidence.pdf', 'signed.pdf')).code, 0)
})

t.test('the first broken link is named, with exit code 1', async (t) => {
  const { code, stdout } = await verify('signed.pdf', 'signed.pdf', '--trust', 'root.pem')
  t.equal(code, 1)
  t.match(stdout, /^BROKEN/m)
  t.notMatch(stdout, 'All links hold')
})

t.test('with --json the result is one object', async (t) => {
  const whole = await verify('evidence.pdf', 'signed.pdf', '--trust', 'root.pem', '--json')
  t.equal(whole.code, 0)
  const { isWhole, links, trusted } = JSON.parse(whole.stdout)
  t.equal(isWhole, true)
  t.match(links[0], { holds: true, link: String, detail: String })
  t.ok(links.length > 10)
  t.match(trusted, 'root.pem')
  const swapped = await verify('signed.pdf', 'evidence.pdf', '--json', '--trust', 'root.pem')
  t.equal(swapped.code, 1)
  t.match(JSON.parse(swapped.stdout), { isWhole: false, links: [{ holds: false }] })
})

t.test('swapped files are reported before anything else', async (t) => {
  const { code, stdout } = await verify('signed.pdf', 'evidence.pdf', '--trust', 'root.pem')
  t.equal(code, 1)
  t.match(stdout, /^BROKEN .*: the two files are swapped: first the evidence, then the signed PDF/)
})

t.test('a broken link is reported with the roots that were trusted', async (t) => {
  const elsewhere = await callTool('cli/verify-evidence.ts', ['evidence.pdf', 'signed.pdf'], {
    cwd,
    env: { DATA_DIR: join(cwd, 'elsewhere') },
  })
  const missing = join(cwd, 'elsewhere', 'keys', 'root.pem')
  t.match(elsewhere.stdout, `Trusted: none, there is no ${missing}. --trust names another root.`)
  const given = await verify('signed.pdf', 'signed.pdf', '--trust', 'root.pem')
  t.match(given.stdout, 'Trusted: root.pem.')
})

t.test('bad usage is answered with a sentence and exit code 2', async (t) => {
  for (const args of [
    [],
    ['evidence.pdf'],
    ['evidence.pdf', 'signed.pdf', 'more.pdf'],
    ['missing.pdf', 'signed.pdf'],
    ['evidence.pdf', 'signed.pdf', '--trust', 'signed.pdf'],
    ['evidence.pdf', 'signed.pdf', '--else'],
  ]) {
    const { code, stdout, stderr } = await verify(...args)
    t.equal(code, 2, args.join(' '))
    t.equal(stdout, '')
    t.match(stderr, 'usage: npm run --silent verify-evidence')
  }
})
