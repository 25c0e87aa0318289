/** The batch sends every PDF of a folder and says what became of each. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { missingPython, PYTHON_ENVIRONMENT } from '../clients/python.ts'
import { waitFor } from '../clients/world.ts'
import { openWorld } from '../conformance/world.ts'
import { dataDirectory } from '../e2e/harness.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'

t.setTimeout(300_000)
const run = promisify(execFile)
const BATCH = join(import.meta.dirname, '../../examples/python-batch/batch.py')
const skip = await missingPython()

/** With the byte order mark that spreadsheets write. */
const PEOPLE = `\uFEFFfile,first_name,last_name,email
lease-1.pdf,Jana,Nováková,jana@example.com
no-pdf.pdf,Peter,Kôň,peter@example.com
missing.pdf,Eva,Malá,eva@example.com
lease-2.pdf,Ľuboš,Šťastný,nobody
nájom č. 3.pdf,Ľuboš,Šťastný,lubos@example.com
nájom č. 3.pdf,Eva,Malá,eva@example.com
`

t.test('rows of a CSV file become signed PDFs and results', { skip }, async (t) => {
  const world = await openWorld(t)
  const folder = await dataDirectory(t)
  const pdf = await smallDocument()
  for (const name of ['lease-1.pdf', 'lease-2.pdf', 'nájom č. 3.pdf']) {
    await writeFile(join(folder, name), pdf)
  }
  await writeFile(join(folder, 'no-pdf.pdf'), 'x'.repeat(2000))
  await writeFile(join(folder, 'people.csv'), PEOPLE)
  const environment = { SIGCASE_URL: world.url, SIGCASE_TOKEN: await world.token() }
  const options = { env: { ...PYTHON_ENVIRONMENT, ...environment }, timeout: 200_000 }
  const running = run('python3', [BATCH, folder, '--wait-seconds', '120'], options)

  const cases = await waitFor('three cases with a document', async () => {
    const { json } = await world.asTenant('GET', '/cases?status=IN_PROGRESS')
    return json.cases.length === 3 ? json.cases : undefined
  })
  const field = { page: 1, x: 72, y: 500, width: 200, height: 60, unit: 'pt' }
  const idOf: Record<string, string> = {}
  for (const { id, participants } of cases) {
    idOf[participants[0].email] = id
    await world.sign(participants[0], { signatures: [field] })
  }
  const { stdout } = await running
  t.match(stdout, /^DONE lease-1\.pdf jana@example\.com$/m)

  const [head, ...rows] = (await readFile(join(folder, 'results.csv'), 'utf8')).split('\r\n')
  t.equal(head, 'file,email,caseId,status,reason,signed')
  const jana = 'jana@example.com'
  t.equal(rows[0], `lease-1.pdf,${jana},${idOf[jana]},DONE,,lease-1-signed.pdf`)
  t.match(rows[1], /^no-pdf\.pdf,.*,UPLOAD_REJECTED,.+,$/)
  t.match(rows[2], /^missing\.pdf,.*,NOT_SENT,.*No such file.*,$/)
  t.match(rows[3], /^lease-2\.pdf,nobody,,VALIDATION_FAILED,.*email.*,$/)
  const shared = ['lubos@example.com', 'eva@example.com'].map((email, index) => {
    const id = idOf[email]
    const name = `nájom č. 3-${id}-signed.pdf`
    t.equal(rows[4 + index], `nájom č. 3.pdf,${email},${id},DONE,,${name}`)
    return name
  })
  for (const name of ['lease-1-signed.pdf', ...shared]) {
    const signed = await readFile(join(folder, name))
    t.equal(signed.subarray(0, 5).toString('latin1'), '%PDF-', name)
  }
})
