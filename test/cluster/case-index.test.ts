/** The index of cases on a cluster: rows of all processes, and a PostgreSQL that comes and goes. */
import { execFile } from 'node:child_process'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import t from 'tap'
import { compileCache } from '../../dev/local-cluster/child.ts'
import { withoutPostgres, type PostgresServer } from '../fixtures/postgres-server.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'
import { withStoresCluster } from '../fixtures/stores-cluster.ts'
import { TENANT, type TestCluster } from '../fixtures/local-cluster.ts'

t.setTimeout(600_000)

/** Longer than a resync and a restart take on a busy machine. */
const UNTIL_LIMIT_MS = 240_000
const POLL_MS = 100

const QUERY = `query ($search: String, $sort: CaseSort, $filter: CaseFilter) {
  cases(search: $search, sort: $sort, filter: $filter) { cases { id status } }
}`

interface Found {
  ids: string[]
  code?: string | undefined
}

async function find(cluster: TestCluster, variables: object): Promise<Found> {
  const client = await cluster.client()
  const answer = await fetch(`${cluster.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${client.token}` },
    body: JSON.stringify({ query: QUERY, variables }),
  })
  const { data, errors } = (await answer.json()) as {
    data: { cases: { cases: { id: string }[] } | null } | null
    errors?: { extensions?: { code?: string } }[]
  }
  const ids = data?.cases?.cases.map(({ id }) => id) ?? []
  return { ids, code: errors?.[0]?.extensions?.code }
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + UNTIL_LIMIT_MS
  while (!(await holds())) {
    if (performance.now() > deadlineMs) throw new Error(`it never came: ${what}`)
    await sleep(POLL_MS)
  }
}

async function declare(server: PostgresServer, cluster: TestCluster): Promise<void> {
  const client = await cluster.client()
  const made: string[] = []
  for (const title of ['Nájomná zmluva', 'Kúpna zmluva', 'Dodatok']) {
    const answer = await client.create(title, [{}], { quickSign: true })
    made.push(answer.case.id)
  }
  const [first, second, third] = made as [string, string, string]

  t.test('the controller makes the tables, and a new case is found at once', async (t) => {
    await until('rows', async () => {
      const { ids } = await find(cluster, { sort: 'CREATED_DESC' })
      return ids.length === made.length
    })
    t.same((await find(cluster, { sort: 'CREATED_DESC' })).ids, [third, second, first])
    t.same((await find(cluster, { search: 'ZMLUVA', sort: 'CREATED_ASC' })).ids, [first, second])
    const answer = await client.create('Nový prípad', [{}], { quickSign: true })
    const variables = { search: 'novy', filter: { status: ['NEW'] }, sort: 'CREATED_DESC' }
    t.same((await find(cluster, variables)).ids, [answer.case.id])
  })

  t.test('the row follows the status that the controller writes', async (t) => {
    const { upload } = (await (await client.request('POST', `/cases/${first}/upload`)).json()) as {
      upload: { url: string }
    }
    await client.upload(upload.url, await smallDocument())
    await client.untilNot('NEW', first)
    const variables = { filter: { status: ['IN_PROGRESS'] }, sort: 'CREATED_ASC' }
    await until('the state', async () => (await find(cluster, variables)).ids.length === 1)
    t.same((await find(cluster, variables)).ids, [first])
  })

  t.test('while the server is away, cases are created and listed by id', async (t) => {
    await server.kill()
    const answer = await client.create('Bez indexu', [{}], { quickSign: true })
    const listed = await client.request('GET', '/cases?status=NEW')
    const { cases } = (await listed.json()) as { cases: { id: string }[] }
    t.ok(cases.some(({ id }) => id === answer.case.id))
    t.equal((await find(cluster, { sort: 'CREATED_DESC' })).code, 'TIMEOUT')
    t.ok(await server.restart())
    await until('the server', async () => (await find(cluster, { sort: 'ID' })).code === undefined)
  })

  t.test('an index that lost everything is built again by the next leader', async (t) => {
    await server.run('DROP TABLE case_row')
    const [controller] = cluster.controllers
    await controller?.end('SIGKILL')
    controller?.start()
    await until('rows', async () => {
      const { ids } = await find(cluster, { sort: 'CREATED_ASC' })
      return ids.length === made.length + 2
    })
    const rows = await server.run(`SELECT count(*)::int AS count FROM case_row`)
    t.same(rows, [{ count: made.length + 2 }])
  })

  t.test('rows with versions of the future are replaced by a rebuild', async (t) => {
    await server.run("UPDATE case_row SET version = 9000000000000000, phase = 'FAILED'")
    const [controller] = cluster.controllers
    const env = { ...compileCache(), ...controller!.options.environment }
    const cli = ['cli/sigcase.ts', 'index', 'rebuild']
    const { stdout } = await promisify(execFile)(process.execPath, cli, { env })
    t.match(stdout, `The index has ${made.length + 2} cases.`)
    t.same((await find(cluster, { filter: { status: ['FAILED'] } })).ids, [])
    const variables = { filter: { status: ['IN_PROGRESS'] }, sort: 'CREATED_ASC' }
    t.same((await find(cluster, variables)).ids, [first])
  })

  t.test('the row of a removed resource goes with it', async (t) => {
    const path = `/apis/sigcase.dev/v1/namespaces/${TENANT}/signaturecases/${third}`
    await cluster.admin.send({ method: 'DELETE', path })
    await until('removal', async () => {
      const rows = await server.run(`SELECT case_id FROM case_row WHERE case_id = '${third}'`)
      return rows.length === 0
    })
    t.notOk((await find(cluster, { sort: 'CREATED_ASC' })).ids.includes(third))
  })
}

if (withoutPostgres) {
  t.test('a cluster with an index', { skip: withoutPostgres }, async () => undefined)
} else {
  await withStoresCluster((cluster, { postgres }) => declare(postgres as PostgresServer, cluster))
}
