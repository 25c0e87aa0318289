/** The commands of docs/how-to/verify-a-pdf.md that need no program of the service. */
import { execFileSync } from 'node:child_process'
import { Buffer } from 'node:buffer'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { evidenceKey, outcomeKey } from '../../domain/cases/keys.ts'
import { pemOfCertificate } from '../../domain/pem.ts'
import { finalise } from '../../workers/finalise/finalise.ts'
import { has } from '../e2e/harness.ts'
import { bytesAt } from '../fixtures/finalised.ts'
import { NOW, root } from '../fixtures/pki.ts'
import { CASE_KEY } from '../fixtures/signature-case.ts'
import { signedByAll } from '../fixtures/signed-by-all.ts'

const GUIDE = join(import.meta.dirname, '../../docs/how-to/verify-a-pdf.md')
/** The guide checks the last time-stamp as of now; certificates of tests have their own time. */
const atTime = `openssl ts -verify -attime ${NOW.getTime() / 1000}`
const commands = /```sh\n(FILE=[^]*?)```/
  .exec(readFileSync(GUIDE, 'utf8'))?.[1]
  ?.replace('openssl ts -verify', atTime)
const areThere = (await has('pdfsig')) && (await has('openssl'))
const skip = areThere ? false : 'pdfsig or openssl is not there'

/** What the commands print about a file; its name can be any title. */
function printed(t: Test, file: Uint8Array, name = 'contract-signed.pdf'): string {
  const cwd = t.testdir()
  writeFileSync(join(cwd, name), file)
  writeFileSync(join(cwd, 'root.pem'), pemOfCertificate(root.certificate))
  const environment = { ...process.env, TZ: 'Europe/Bratislava' }
  const named = commands?.replace('FILE=contract-signed.pdf', `FILE='${name}'`)
  const script = `exec 2>&1\n${named}\ntrue`
  return execFileSync('sh', ['-c', script], { cwd, env: environment, encoding: 'utf8' })
}

const valid = (text: string) => ({
  isWhole: text.includes('Total document signed'),
  timeStamps: text.match(/Verification: OK/g)?.length ?? 0,
  signatures: text.match(/CAdES Verification successful/g)?.length ?? 0,
})

t.test('the commands of the guide verify a signed PDF and its evidence', { skip }, async (t) => {
  const w = await signedByAll()
  await finalise(CASE_KEY, w.deps)
  const signed = bytesAt(w, outcomeKey(CASE_KEY))
  t.same(valid(printed(t, signed)), { isWhole: true, timeStamps: 1, signatures: 3 })
  const evidence = bytesAt(w, evidenceKey(CASE_KEY))
  t.same(valid(printed(t, evidence)), { isWhole: true, timeStamps: 1, signatures: 1 })
  const changed = Buffer.from(signed)
  changed[100] = (changed[100] ?? 0) ^ 1
  t.same(valid(printed(t, changed)), { isWhole: true, timeStamps: 0, signatures: 0 })
})

t.test('they verify a document with more than ten signatures', { skip }, async (t) => {
  const w = await signedByAll(10)
  await finalise(CASE_KEY, w.deps)
  const signed = bytesAt(w, outcomeKey(CASE_KEY))
  const name = 'Zmluva č. 1 (dodatok)-signed.pdf'
  t.same(valid(printed(t, signed, name)), { isWhole: true, timeStamps: 1, signatures: 11 })
})
