/** A signed PDF of the service is signed once more: its earlier signatures stay valid. */
import { Buffer } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { rootCertificatePath } from '../../runtime/embedded/paths.ts'
import { startEmbedded } from '../../runtime/embedded/service.ts'
import { validateSignatures } from '../../pades/index.ts'
import { sharedReader } from '../fixtures/shared-reader.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { clientFor, configFor, dataDirectory } from './harness.ts'

const FIELD = { page: 1, x: 72, y: 500, width: 220, height: 60, unit: 'pt' }
const LIMIT_MS = 240_000

t.setTimeout(600_000)

t.test('no signature goes over an earlier one, neither predefined nor chosen', async (t) => {
  const folder = await dataDirectory(t)
  const service = await startEmbedded(configFor(folder), undefined, sharedReader())
  t.teardown(() => service.close())
  const client = await clientFor(folder, () => service.url)
  const first = await client.complete(
    await client.create('First', [{}]),
    await smallDocument(),
    LIMIT_MS,
  )
  const signedOnce = await client.download(first.signedDocument?.url as string)

  const signatureFields = [{ ...FIELD, id: 'over', x: 200 }]
  const covering = await client.create('Covering', [{ signatureFields }])
  await client.upload(covering.upload.url, signedOnce)
  const rejected = await client.untilNot('NEW', covering.case.id)
  t.equal(rejected.status, 'UPLOAD_REJECTED')
  t.match(rejected.rejectReason, /^The signature field "over" of .+ covers a signature/)

  const beside = await client.create('Beside', [{ signatureFields: [] }])
  await client.upload(beside.upload.url, signedOnce)
  const [participant] = (await client.untilNot('NEW', beside.case.id)).participants
  const refused = await client.sign(participant?.signerUrl as string, { signatures: [FIELD] })
  t.equal(refused.status, 400)
  t.match(await refused.json(), {
    validationErrors: [{ instancePath: '/signatures/0', keyword: 'overlap' }],
  })
  const place = { ...FIELD, y: 600 }
  t.equal(
    (await client.sign(participant?.signerUrl as string, { signatures: [place] })).status,
    200,
  )
  const done = await client.untilNot('IN_PROGRESS', beside.case.id, LIMIT_MS)
  const signedTwice = await client.download(done.signedDocument?.url as string)
  const pem = await readFile(rootCertificatePath(folder), 'utf8')
  const base64 = pem.replaceAll(/-----.*-----|\s/g, '')
  const root = Buffer.from(base64, 'base64')
  const { signatures } = await validateSignatures(signedTwice, {
    trustAnchors: [root],
    validationTime: new Date(),
  })
  t.same(
    signatures.map(({ indication }) => indication),
    Array(4).fill('TOTAL_PASSED'),
  )
})
