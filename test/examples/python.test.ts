/** The example in Python does what its README says, where there is a Python. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { serviceSignature } from '../../domain/cases/webhook-request.ts'
import { mailFolder } from '../../runtime/embedded/paths.ts'
import { tenantToken } from '../../cli/tenant-token.ts'
import { dataDirectory, has } from '../e2e/harness.ts'
import { ready, spawnService } from '../e2e/service.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'

t.setTimeout(120_000)
const run = promisify(execFile)
const EXAMPLE = join(import.meta.dirname, '../../examples/python')
const skip = (await has('python3')) ? false : 'there is no python3'
// No compiled files beside the example.
const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8' }
const python = (args: string[]) => run('python3', args, { cwd: EXAMPLE, env, timeout: 90_000 })

t.test('two people sign on a kiosk, with codes and webhooks', { skip }, async (t) => {
  const folder = await dataDirectory(t)
  const service = spawnService({ PORT: '0', DATA_DIR: folder, EGRESS_ALLOW: '127.0.0.1' })
  t.teardown(() => service.end('SIGTERM'))
  const url = await ready(service)
  const pdf = join(folder, 'Zmluva č. 1.pdf')
  await writeFile(pdf, await smallDocument())
  const { stdout, stderr } = await python([
    ...['two_participants.py', pdf, '--url', url, '--out', folder, '--mails', mailFolder(folder)],
    ...['--token', await tenantToken(folder, 'acme', new Date())],
  ])
  t.equal(stderr, '')
  const said = stdout.split('\n').map((line) => line.split(/ +/)[0])
  t.same(said.filter((word) => word === 'kiosk' || word === 'signed').length, 4)
  t.match(stdout, /webhook {2}participant-signed for 2026\/118\n/)
  t.match(stdout, /webhook {2}case-completed for 2026\/118\n/)
  for (const kind of ['signed', 'evidence']) {
    const saved = await readFile(join(folder, `Zmluva č. 1-${kind}.pdf`))
    t.equal(saved.subarray(0, 5).toString('latin1'), '%PDF-')
  }
})

t.test('a webhook counts with its own secret, body and time alone', { skip }, async (t) => {
  const secret = 'tajné-'.repeat(8)
  const signed = serviceSignature(secret, 1_800_000_000, '{"a":"č"}')
  const judge = async (header: string, body: string, now: number) => {
    const program = [
      'import json, sys, sigcase',
      'header, body, secret, now = json.loads(sys.argv[1])',
      'print(sigcase.is_signed(header, body.encode(), secret, now))',
    ].join('\n')
    const { stdout } = await python(['-c', program, JSON.stringify([header, body, secret, now])])
    return stdout.trim()
  }
  t.equal(await judge(signed, '{"a":"č"}', 1_800_000_300), 'True')
  t.equal(await judge(signed, '{"a":"c"}', 1_800_000_000), 'False', 'another body')
  t.equal(await judge(signed, '{"a":"č"}', 1_800_000_301), 'False', 'too old')
  t.equal(await judge(signed.replace('t=18', 't=19'), '{"a":"č"}', 1_900_000_000), 'False')
  t.equal(await judge('t=1800000000,v1=é', '{"a":"č"}', 1_800_000_000), 'False', 'no hex')
  t.equal(await judge('', '{"a":"č"}', 1_800_000_000), 'False', 'no signature')
})
