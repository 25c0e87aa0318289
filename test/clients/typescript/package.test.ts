import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import t from 'tap'
import { ERRORS } from '../../../domain/errors.ts'
import { scriptedServer } from '../scripted.ts'
import { compile, installClient, ROOT, run } from '../packed.ts'

t.setTimeout(180_000)
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))

const PROGRAM = `
  import { SigcaseClient, API_VERSION, type Case } from '@sigcase/client'

const client = new SigcaseClient({ baseUrl: process.argv[2] ?? '', token: 'x' })
const created = await client.createCase({
  title: 'č',
  validUntil: '2030-01-01T00:00:00Z',
  participants: [],
})
const sent: number[] = []
const onProgress = ({ sentBytes }: { sentBytes: number }) => sent.push(sentBytes)
await client.uploadDocument(created, new Uint8Array(100_000), { onProgress })
const { status }: Case = created.case
console.log(JSON.stringify({ version: API_VERSION, status, sent }))
`

t.test('both clients have the version of the API and its licence', async (t) => {
  const { version, license } = read('package.json')
  const client = read('clients/typescript/package.json')
  t.match(client, { name: '@sigcase/client', version, license, type: 'module' })
  t.equal(client.dependencies, undefined)
  const python = readFileSync(join(ROOT, 'clients/python/pyproject.toml'), 'utf8')
  t.match(python, `version = "${version}"`)
  t.match(python, `license = { text = "${license}" }`)
  const text = readFileSync(join(ROOT, 'LICENSE'), 'utf8')
  for (const name of ['typescript', 'python']) {
    t.equal(readFileSync(join(ROOT, 'clients', name, 'LICENSE'), 'utf8'), text)
  }
})

t.test('codes of the client are not codes of the service, and are documented', async (t) => {
  const source = readFileSync(join(ROOT, 'clients/typescript/src/errors.ts'), 'utf8')
  const [, union = ''] = /ClientErrorCode =\n(.*?)\n\n/s.exec(source) ?? []
  const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => `${code}`)
  t.ok(codes.length > 10)
  const page = readFileSync(join(ROOT, 'clients/typescript/README.md'), 'utf8')
  for (const code of codes) {
    t.notOk(Object.hasOwn(ERRORS, code), `${code} is free`)
    t.match(page, `\`${code}\``)
  }
})

t.test('the package has its code, its types and nothing else, and runs', async (t) => {
  const { folder, files } = await installClient(t)
  const modules = readdirSync(join(ROOT, 'clients/typescript/src')).map((name) =>
    name.replace(/\.ts$/, ''),
  )
  const expected = modules.flatMap((name) => [
    ...['js', 'js.map', 'd.ts', 'd.ts.map'].map((kind) => `dist/${name}.${kind}`),
    `src/${name}.ts`,
  ])
  t.same(files, [...expected, 'LICENSE', 'README.md', 'package.json'].sort())

  await writeFile(join(folder, 'program.ts'), PROGRAM)
  await compile(folder)
  await writeFile(join(folder, 'wrong.ts'), PROGRAM.replace("title: 'č'", 'title: 7'))
  await t.rejects(compile(folder), { message: /wrong\.ts.*number.*string/s })

  for (const runtime of [[process.execPath], ['deno', 'run', '-q', '-A', '--no-check']]) {
    const upload = { type: 'PUT', url: 'to be replaced' }
    const { url, requests } = await scriptedServer(t, [
      { status: 200, body: { case: { id: 'c1', status: 'NEW' }, upload } },
    ])
    upload.url = `${url}/objects/a.pdf`
    const [command = '', ...args] = runtime
    const { stdout } = await run(command, [...args, 'program.ts', url], { cwd: folder })
    const { version } = read('package.json')
    t.same(JSON.parse(stdout), { version, status: 'NEW', sent: [65_536, 100_000] }, command)
    t.match(requests[1], { method: 'PUT', headers: { 'content-type': 'application/pdf' } })
    t.equal(requests[1]?.body.length, 100_000)
    // Deno sends a stream in chunks, whatever the header says.
    const { 'content-length': length, 'transfer-encoding': encoding } = requests[1]?.headers ?? {}
    t.equal(command === 'deno' ? encoding : length, command === 'deno' ? 'chunked' : '100000')
  }
})
