/** The route handlers of the Next.js example create a case and receive its webhooks. */
import { cp } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { compile, installClient, ROOT } from '../clients/packed.ts'
import { openClientWorld, SIGNING_SECRET, waitFor, waitForStatus } from '../clients/world.ts'
import { httpReceiver, type Receiver } from '../fixtures/receiver.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'

t.setTimeout(300_000)

interface Handlers {
  POST(request: Request): Promise<Response>
}

interface Shared {
  contracts: Map<string, { caseId: string; status: string; signedDocument?: Uint8Array }>
}

/** Gives the last request to a route handler, as Next.js does. */
async function handle({ requests }: Receiver, { POST }: Handlers, response: ServerResponse) {
  const { url = '/', method = '', headers = {}, body = '' } = requests.at(-1) ?? {}
  const given = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
  const init = { method, headers: given.map((one) => [...one] as [string, string]), body }
  const answer = await POST(new Request(new URL(url, 'http://localhost'), init))
  response.writeHead(answer.status).end()
}

t.test('a form becomes a case, and its webhooks a signed contract', async (t) => {
  const world = await openClientWorld(t)
  const { folder } = await installClient(t)
  await cp(join(ROOT, 'examples/nextjs'), folder, { recursive: true })
  await compile(folder)
  const load = (path: string) => import(pathToFileURL(join(folder, path)).href)
  const contractRoute = (await load('app/api/contracts/route.ts')) as Handlers
  const webhookRoute = (await load('app/api/webhooks/sigcase/route.ts')) as Handlers
  const { contracts } = (await load('lib/sigcase.ts')) as Shared

  const receiver: Receiver = await httpReceiver((_request, response) => {
    void handle(receiver, webhookRoute, response)
  })
  t.teardown(() => receiver.close())
  Object.assign(process.env, {
    SIGCASE_URL: world.url,
    SIGCASE_TOKEN: await world.token(),
    SIGCASE_WEBHOOK_SECRET: SIGNING_SECRET,
    PUBLIC_URL: `http://127.0.0.1:${receiver.port}`,
  })

  const pdf = new Blob([new Uint8Array(await smallDocument())], { type: 'application/pdf' })
  const send = (more: Record<string, string> = {}) => {
    const form = new FormData()
    const fields = { contractId: '118', title: 'Contract 118', offeredAt: new Date().toISOString() }
    const person = { firstName: 'Jana', lastName: 'Nováková', email: 'jana@example.com' }
    for (const [name, value] of Object.entries({ ...fields, ...person, ...more })) {
      form.set(name, value)
    }
    form.set('pdf', pdf, 'contract.pdf')
    return contractRoute.POST(
      new Request('http://localhost/api/contracts', { method: 'POST', body: form }),
    )
  }
  const offeredAt = new Date().toISOString()
  const first = await send({ offeredAt })
  t.equal(first.status, 201)
  const { caseId } = (await first.json()) as { caseId: string }
  t.same(await (await send({ offeredAt })).json(), { caseId }, 'a repeated form')
  const wrong = await send({ contractId: '119', email: 'nobody' })
  t.equal(wrong.status, 400)
  t.match(await wrong.json(), { errors: [{ instancePath: '/participants/0/email' }] })

  const { participants } = await waitForStatus(world, caseId, 'IN_PROGRESS')
  const field = { page: 1, x: 72, y: 500, width: 200, height: 60, unit: 'pt' }
  await world.sign(participants[0], { signatures: [field] })
  const contract = await waitFor('the signed contract', async () => {
    const known = contracts.get('118')
    return known?.signedDocument ? known : undefined
  })
  t.match(contract, { caseId, status: 'DONE' })
  t.equal(new TextDecoder().decode(contract.signedDocument?.slice(0, 5)), '%PDF-')
  const { deliveries } = (await world.asTenant('GET', `/cases/${caseId}/deliveries`)).json
  t.match(deliveries, [{ attempts: [{ statusCode: 204 }] }, {}])

  const forged = new Request('http://localhost/', { method: 'POST', body: '{}' })
  t.equal((await webhookRoute.POST(forged)).status, 401)
})
