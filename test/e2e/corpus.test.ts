import { Buffer } from 'node:buffer'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startEmbedded } from '../../runtime/embedded/service.ts'
import { CORPUS } from '../fixtures/corpus.ts'
import { sharedReader } from '../fixtures/shared-reader.ts'
import {
  clientFor,
  complaintOfQpdf,
  configFor,
  dataDirectory,
  has,
  judgedByPdfsig,
} from './harness.ts'

const documents = join(CORPUS, 'documents')
const IN_FLIGHT = 4
const CASE_LIMIT_MS = 240_000

t.setTimeout(600_000)

if (!existsSync(documents)) t.pass('no corpus: set CORPUS_DIR to run the service on real PDFs')
else t.test('every real PDF ends signed or rejected with a reason', corpusTest)

async function corpusTest(t: Test) {
  const folder = await dataDirectory(t)
  const service = await startEmbedded(configFor(folder), undefined, sharedReader())
  t.teardown(() => service.close())
  const client = await clientFor(folder, () => service.url)
  const canJudge = (await has('pdfsig')) && (await has('certutil')) && (await has('qpdf'))
  const names = readdirSync(documents)
    .filter((name) => name.endsWith('.pdf'))
    .sort()
  const rejected: string[] = []

  const one = async (name: string) => {
    const pdf = await readFile(join(documents, name))
    const place = { page: 1, x: 0.1, y: 0.1, width: 0.3, height: 0.1, unit: 'fraction' }
    const created = await client.create(name, [{ signatureFields: [{ id: 'f', ...place }] }], {
      quickSign: true,
    })
    await client.upload(created.upload.url, pdf)
    const read = await client.untilNot('NEW', created.case.id, CASE_LIMIT_MS)
    if (read.status === 'UPLOAD_REJECTED') {
      t.match(read.rejectReason, /^[A-Z].{10,}/, `${name}: rejected with a sentence`)
      rejected.push(`${name}: ${read.rejectReason}`)
      return
    }
    t.equal((await client.sign(read.participants[0]?.signerUrl as string)).status, 200)
    const end = await client.untilNot('IN_PROGRESS', created.case.id, CASE_LIMIT_MS)
    t.equal(end.status, 'DONE', `${name}: ${end.failureReason ?? 'signed'}`)
    if (end.status !== 'DONE') return
    const signed = await client.download(end.signedDocument?.url as string)
    t.ok(Buffer.from(signed.subarray(0, pdf.length)).equals(pdf), `${name}: a prefix`)
    if (!canJudge) return
    const verdicts = await judgedByPdfsig(signed, folder)
    const good = verdicts.filter(
      ({ signature, certificate }) =>
        signature === 'Signature is Valid.' && certificate === 'Certificate is Trusted.',
    )
    t.ok(good.length >= 2, `${name}: pdfsig finds signature and seal valid`)
    if ((await complaintOfQpdf(pdf)) === undefined) {
      t.equal(await complaintOfQpdf(signed), undefined, `${name}: as sound as before`)
    }
  }
  const lane = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) await one(name)
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  for (const line of rejected.sort()) t.comment(line)
}
