/** Keys and certificates are replaced on running pods, step by step as the guide says. */
import { execFile } from 'node:child_process'
import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import t from 'tap'
import { ROOT } from '../../dev/pods/layout.ts'
import { replaceSealCertificate } from '../../dev/pods/outside.ts'
import { applyCertificates, keyringOf, keySetSecret } from '../../dev/pods/release.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { cluster, kubectl, NAMESPACE, POD_LIMIT_MS, untilWhole } from './cases.ts'
import { patientClient } from './load.ts'

const SET = 'signing-link'
/** The components that have this set: docs/how-to/rotate-keys.md. */
const HOLDERS = ['deployment/sigcase-api', 'deployment/sigcase-worker']
const CASE_LIMIT_MS = 240_000
const POLL_MS = 1_000
const UNAUTHORIZED = 401

async function restart(): Promise<void> {
  await kubectl.run('rollout', 'restart', ...HOLDERS, NAMESPACE)
  const timeout = `--timeout=${POD_LIMIT_MS / 1000}s`
  for (const one of HOLDERS) await kubectl.run('rollout', 'status', one, NAMESPACE, timeout)
  await untilWhole()
}

/** Runs one step of a rotation: the file of the set, its Secret, and the pods that read it. */
async function rotate(step: 'add' | 'use' | 'retire'): Promise<void> {
  const keyring = keyringOf(cluster.folder)
  const args = [join(ROOT, 'cli/rotate-keys.ts'), '--keyring', keyring, '--step', step, SET]
  await promisify(execFile)(process.execPath, args)
  await kubectl.apply(keySetSecret(keyring, SET))
  await restart()
}

t.test('a signing link works until its key is retired', async (t) => {
  t.setTimeout(580_000)
  await untilWhole()
  const client = await patientClient()
  const open = async () => {
    const { case: created, upload } = await client.create('Contract', [{}, {}])
    await client.upload(upload.url, await smallDocument())
    return client.untilNot('NEW', created.id, CASE_LIMIT_MS, POLL_MS)
  }
  const { id, participants } = await open()
  const [first, second] = participants.map(({ signerUrl }) => signerUrl)
  await rotate('add')
  await rotate('use')
  t.equal((await client.sign(first ?? '')).status, 200, 'a link of the old key still works')
  await rotate('retire')
  t.equal((await client.sign(second ?? '')).status, UNAUTHORIZED, 'a retired key is refused')
  const renewed = (await client.get(id)).participants[1]?.signerUrl ?? ''
  t.not(renewed, second, 'the service makes a new link')
  t.equal((await client.sign(renewed)).status, 200, 'a link of the new key works')
  const done = await client.untilNot('IN_PROGRESS', id, CASE_LIMIT_MS, POLL_MS)
  t.equal(done.status, 'DONE')
})

/** Whether the CMS object of a signature has the certificate: it is hexadecimal in the file. */
const contains = (pdf: Buffer, certificate: Buffer) =>
  pdf.toString('latin1').toLowerCase().includes(certificate.toString('hex'))

t.test('workers use a new certificate of the seal after they start again', async (t) => {
  t.setTimeout(580_000)
  const client = await patientClient()
  const signedDocument = async () => {
    const created = await client.create('Contract', [{}])
    const pdf = await smallDocument()
    const done = await client.seeThrough(created, pdf, CASE_LIMIT_MS, POLL_MS)
    const response = await fetch(done.signedDocument?.url ?? '')
    return Buffer.from(await response.arrayBuffer())
  }
  const { former, renewed, files } = await replaceSealCertificate(kubectl)
  t.not(former.toString('hex'), renewed.toString('hex'), 'the certificate is another one')
  t.ok(contains(await signedDocument(), former), 'pods keep what they read at their start')
  await applyCertificates(kubectl, files)
  await restart()
  const pdf = await signedDocument()
  t.ok(contains(pdf, renewed), 'the new one seals')
  t.notOk(contains(pdf, former))
})
