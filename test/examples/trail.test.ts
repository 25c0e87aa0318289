/**
 * A trail is checked by strangers: the example in Python and OpenSSL, as
 * docs/reference/audit-trail.md says.
 */
import { execFile } from 'node:child_process'
import { Buffer } from 'node:buffer'
import { createHash, X509Certificate } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { canonicalJson } from '../../domain/canonical-json.ts'
import type { AuditEntry } from '../../domain/audit/entry.ts'
import type { AuditHead } from '../../domain/audit/head.ts'
import { auditHeadKey } from '../../domain/cases/keys.ts'
import { owedAuditEvents } from '../../domain/cases/owed.ts'
import { embeddedFiles } from '../../pades/index.ts'
import { AUDIT_FILE_NAME, type AuditFile } from '../../workers/evidence/audit-file.ts'
import { sealTrail } from '../../workers/trail-seal.ts'
import { has } from '../e2e/harness.ts'
import { identity, root } from '../fixtures/pki.ts'
import { CASE_KEY, signatureCase } from '../fixtures/signature-case.ts'
import { workerDeps } from '../fixtures/worker.ts'
import { bundle } from '../cli/evidence/bundle.ts'

const run = promisify(execFile)
const SCRIPT = join(import.meta.dirname, '../../examples/python/verify_trail.py')
const [python, openssl] = [await has('python3'), await has('openssl')]
const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8' }

interface Said {
  code: number
  text: string
}

async function ask(program: string, args: string[]): Promise<Said> {
  try {
    const { stdout } = await run(program, args, { env, timeout: 30_000 })
    return { code: 0, text: stdout }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, text: stdout + stderr }
  }
}

const skipPython = python ? false : 'there is no python3'
t.test('the example in Python', { skip: skipPython }, async (t) => {
  const { evidence, signed, original } = await bundle()
  const folder = t.testdir()
  const file = (name: string) => join(folder, name)
  const trail = embeddedFiles(evidence).get(AUDIT_FILE_NAME) as Uint8Array
  await writeFile(file('signed.pdf'), signed)

  /** What is said of the trail after a change. */
  async function said(change: (trail: AuditFile) => unknown): Promise<Said> {
    const changed = change(JSON.parse(new TextDecoder().decode(trail)))
    await writeFile(file('audit.json'), JSON.stringify(changed))
    return ask('python3', [SCRIPT, file('audit.json'), '--signed', file('signed.pdf')])
  }
  const withEntries = (edit: (entries: AuditEntry[]) => unknown[]) =>
    said((trail) => ({ ...trail, entries: edit([...trail.entries]) }))

  await t.test('finds the head that the trail names', async (t) => {
    const sizes = (await said((trail) => trail)).text
    const { head, entries } = JSON.parse(new TextDecoder().decode(trail)) as AuditFile
    t.match(sizes, `${entries.length} entries of case ${CASE_KEY.caseId} hold together`)
    t.match(sizes, `head ${head.hash}`)
    const erased = await said((whole) => {
      return { ...whole, openings: {} }
    })
    t.equal(erased.code, 0, 'values that were erased leave the chain whole')
  })

  await t.test('names what was tampered with', async (t) => {
    const edited = (entry: AuditEntry) => ({ ...entry, occurredAt: '2020-01-01T00:00:00.000Z' })
    const tampered: readonly (readonly [Said, string])[] = [
      [await withEntries(([one, two, ...rest]) => [one, edited(two!), ...rest]), 'entry 3'],
      [await withEntries(([one, , ...rest]) => [one, ...rest]), 'entry 2 is numbered 3'],
      [await withEntries(([one, two, three, ...rest]) => [one, three, two, ...rest]), 'entry 2'],
      [await withEntries((entries) => entries.slice(0, -1)), 'the head is not'],
      [await withEntries((entries) => [...entries.slice(0, -1), edited(entries.at(-1)!)]), 'head'],
      [await said((whole) => ({ ...whole, caseId: 'another' })), 'belongs elsewhere'],
      [
        await withEntries(([one, ...rest]) => [{ ...one, commitments: {} }, ...rest]),
        'entry 1 was committed to another',
      ],
      [
        await said((whole) => JSON.parse(JSON.stringify(whole).replaceAll('192.0.2.7', '::1'))),
        'was committed to another ip',
      ],
    ]
    for (const [{ code, text }, words] of tampered) {
      t.equal(code, 1)
      t.match(text, `BROKEN: `)
      t.match(text, words)
    }
  })

  await t.test('compares the signed PDF', async (t) => {
    await writeFile(file('signed.pdf'), original)
    t.match(await said((trail) => trail), { code: 1, text: /differs from the one in the trail/ })
  })

  await t.test('writes JSON as RFC 8785 has it', async (t) => {
    const value = {
      numbers: [0, -1, 1.5, 390.25, 1e21, 1.25e-7, 1e-6, 123456789012, -0.001, 5e-324, 1e300],
      text: '\u0000\u001f"\\/\n\u007f\u2028€😀ľ',
      ['\u{1f600}']: null,
      ['\ufb33']: true,
      nested: [{}, [], { b: false, a: '' }],
    }
    await writeFile(file('value.json'), JSON.stringify(value))
    const program = [
      'import json, sys, verify_trail',
      'sys.stdout.write(verify_trail.canonical(json.load(open(sys.argv[1], encoding="utf-8"))))',
    ].join('\n')
    const options = { env: { ...env, PYTHONPATH: join(SCRIPT, '..') } }
    const { stdout } = await run('python3', ['-c', program, file('value.json')], options)
    t.equal(stdout, canonicalJson(value))
  })
})

const pem = (der: string) => new X509Certificate(Buffer.from(der, 'base64')).toString()

/** The sealed head of a trail that ended. */
async function sealedHead(): Promise<AuditHead> {
  const deps = await workerDeps()
  const subject = signatureCase({ phase: 'EXPIRED' })
  deps.cases.seed(subject)
  await deps.trail.append(CASE_KEY, owedAuditEvents(subject, []))
  await sealTrail(CASE_KEY, deps)
  const { sequence } = (await deps.trail.entries(CASE_KEY)).at(-1) as AuditEntry
  return deps.objects.json<AuditHead>(auditHeadKey(CASE_KEY, sequence)) as AuditHead
}

/** The commands of the page, over files made as it says; what each of them answers. */
async function opensslSays(t: Test, head: AuditHead): Promise<number[]> {
  const folder = t.testdir()
  const at = (name: string) => join(folder, name)
  const { tenant, caseId, sequence, hash, archiveTimeStampToken = '', ...rest } = head
  const place = { tenant, caseId, sequence, hash }
  const [seal = '', ...chain] = head.certificates
  const binary = (base64: string) => Buffer.from(base64, 'base64')
  const files = {
    'root.pem': pem(Buffer.from(root.certificate).toString('base64')),
    'seal.pem': pem(seal),
    'chain.pem': chain.map(pem).join(''),
    'statement.json': canonicalJson(['sigcase/audit-head/v1', place]),
    'archive.json': canonicalJson(['sigcase/audit-head-archive/v1', { ...place, ...rest }]),
    'signature.bin': binary(head.signature),
    'time-stamp.tst': binary(head.timeStampToken),
    'archive.tst': binary(archiveTimeStampToken),
  }
  for (const [name, content] of Object.entries(files)) await writeFile(at(name), content)
  const key = await ask('openssl', ['x509', '-in', at('seal.pem'), '-pubkey', '-noout'])
  await writeFile(at('seal.pub'), key.text)
  const atTime = ['-attime', String(Math.floor(Date.parse(head.sealedAt) / 1000) + 1)]
  const stamped = (token: string, data: string) => [
    ...['ts', '-verify', '-token_in', '-in', at(token), '-data', at(data)],
    ...[...atTime, '-CAfile', at('root.pem')],
  ]
  const digest = ['dgst', '-sha256', '-verify', at('seal.pub'), '-signature', at('signature.bin')]
  const answers: number[] = []
  for (const args of [
    ['verify', ...atTime, '-CAfile', at('root.pem'), '-untrusted', at('chain.pem'), at('seal.pem')],
    [...digest, at('statement.json')],
    stamped('time-stamp.tst', 'signature.bin'),
    stamped('archive.tst', 'archive.json'),
  ]) {
    answers.push((await ask('openssl', args)).code)
  }
  return answers
}

const skipOpenssl = openssl ? false : 'there is no openssl'
t.test('OpenSSL over a sealed head', { skip: skipOpenssl }, async (t) => {
  const head = await sealedHead()
  t.same(await opensslSays(t, head), [0, 0, 0, 0])
  const ended = { ...head, sequence: head.sequence - 1 }
  t.same(await opensslSays(t, ended), [0, 1, 0, 1], 'of an earlier entry')
  const other = createHash('sha256').update('other').digest('hex')
  t.same(await opensslSays(t, { ...head, hash: other }), [0, 1, 0, 1], 'of another trail')
  const stranger = await identity({ subject: { commonName: 'Seal' }, profile: 'root' })
  const statement = (({ tenant, caseId, sequence, hash }) => ({ tenant, caseId, sequence, hash }))(
    head,
  )
  const octets = new TextEncoder().encode(canonicalJson(['sigcase/audit-head/v1', statement]))
  const resealed = {
    ...head,
    signature: Buffer.from(await stranger.sign(octets)).toString('base64'),
    certificates: [Buffer.from(stranger.certificate).toString('base64')],
  }
  const answers = await opensslSays(t, resealed)
  t.same([answers[0] === 0, answers[1], answers[2], answers[3]], [false, 0, 1, 1], 'another key')
})
