/** The command line against the running service. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import t, { type Test } from 'tap'
import { runSigcase } from '../../../cli/sigcase/run.ts'
import { waitForStatus } from '../../clients/world.ts'
import { openWorld, type Json } from '../../conformance/world.ts'
import { smallDocument } from '../../fixtures/signed-by-all.ts'

t.setTimeout(300_000)
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

const world = await openWorld(t)
process.env.SIGCASE_URL = world.url
process.env.SIGCASE_TOKEN = await world.token()

interface Result {
  code: number
  stdout: string
  stderr: string
}

/** Runs a command in this process. */
async function sigcase(t: Test, ...args: string[]): Promise<Result> {
  const printed = t.capture(console, 'log')
  const errors = t.capture(console, 'error')
  const code = await runSigcase(args)
  const textOf = (calls: readonly { args: unknown[] }[]) =>
    calls.map(({ args: [line] }) => String(line)).join('\n')
  const result = { code, stdout: textOf(printed()), stderr: textOf(errors()) }
  printed.restore()
  errors.restore()
  return result
}

async function json(t: Test, ...args: string[]): Promise<Json> {
  const { code, stdout, stderr } = await sigcase(t, ...args, '-o', 'json')
  t.equal(code, 0, `${args.join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}

t.test('a case from its creation to its documents', async (t) => {
  const pdf = join(t.testdir(), 'Zmluva č. 1.pdf')
  writeFileSync(pdf, await smallDocument())
  const people = [
    '-p',
    'Jana Nováková <jana@example.com>',
    '-p',
    'Ján de la Cruz <jan@example.com>',
  ]
  const created = await json(t, 'cases', 'create', pdf, ...people, '--language', 'sk')
  t.match(created, {
    title: 'Zmluva č. 1',
    participants: [
      { firstName: 'Jana', lastName: 'Nováková', email: 'jana@example.com', language: 'sk' },
      { firstName: 'Ján', lastName: 'de la Cruz', email: 'jan@example.com' },
    ],
  })
  const { id } = created
  await waitForStatus(world, id, 'IN_PROGRESS')

  const table = await sigcase(t, 'cases', 'list', '--status', 'IN_PROGRESS')
  t.match(table.stdout, /^ID +STATUS +SIGNED +CREATED +VALID UNTIL +TITLE\n/)
  t.match(table.stdout, `${id}  IN_PROGRESS  0/2`)
  t.match((await sigcase(t, 'cases', 'get', id)).stdout, /^TITLE: +Zmluva č. 1$/m)
  t.notMatch((await sigcase(t, 'cases', 'get', id)).stdout, '/s/', 'signing links are secrets')

  const late = await sigcase(t, 'cases', 'wait', id, '--timeout', '0')
  t.match(late, { code: 3, stdout: '', stderr: 'sigcase: The case is still IN_PROGRESS' })
  t.equal((await json(t, 'cases', 'remind', id)).length, 2)

  const { participants } = await world.get(id)
  for (const [index, one] of participants.entries()) {
    const place = { page: 1, x: 72, y: 300 + index * 100, width: 200, height: 60, unit: 'pt' }
    t.equal((await world.sign(one, { signatures: [place] })).status, 200)
  }
  t.equal((await json(t, 'cases', 'wait', id)).status, 'DONE')
  await sigcase(t, 'cases', 'watch', id)

  const timeline = await sigcase(t, 'cases', 'timeline', id, '--limit', '100')
  t.match(timeline.stdout, /case\.created[^]*document\.signed|case\.created[^]*case\.completed/)
  const out = join(t.testdir(), 'evidence.pdf')
  t.same(await sigcase(t, 'cases', 'download', id, 'evidence', '--out', out), {
    code: 0,
    stdout: out,
    stderr: '',
  })
  t.equal(readFileSync(out).toString('latin1', 0, 5), '%PDF-')
  t.same(await json(t, 'deliveries', 'list', id), [], 'the case has no callback')
})

t.test('a case is cancelled, and a cancelled case is never DONE', async (t) => {
  const { case: created } = await world.create()
  const cancelled = await json(t, 'cases', 'cancel', created.id, '--reason', 'a typing error')
  t.match(cancelled, { status: 'CANCELLED', cancelReason: 'a typing error' })
  const waited = await sigcase(t, 'cases', 'wait', created.id)
  t.match(waited, { code: 3, stderr: /^sigcase: The case is CANCELLED a typing error$/ })
})

t.test('kiosks are registered, listed and removed', async (t) => {
  const { deviceId, token } = await json(t, 'devices', 'register', 'Front desk')
  t.type(token, 'string')
  const list = await sigcase(t, 'devices', 'list')
  t.match(list.stdout, `${deviceId}  `)
  t.notMatch(list.stdout, token)
  t.match(list.stdout, /CONNECTED\n.+ false$/m)
  t.match(await json(t, 'devices', 'list'), [{ deviceId, connected: false }])
  t.equal((await sigcase(t, 'devices', 'remove', deviceId)).code, 0)
  t.same(await json(t, 'devices', 'list'), [])
  t.same(await json(t, 'deliveries', 'failed'), [])
})

t.test('failures have a sentence and an exit code', async (t) => {
  const missing = await sigcase(t, 'cases', 'get', UNKNOWN_ID)
  t.match(missing, { code: 1, stdout: '', stderr: /^sigcase: NOT_FOUND: / })
  const wrong: readonly string[][] = [
    [],
    ['cases'],
    ['cases', 'lst'],
    ['cases', 'get'],
    ['cases', 'list', '--limit', '0'],
    ['cases', 'list', '--status', 'OPEN'],
    ['cases', 'list', '--token-file', join(t.testdir(), 'none')],
    ['cases', 'list', '--url', 'nowhere'],
    ['cases', 'create', join(t.testdir(), 'none.pdf'), '-p', 'A B <a@example.com>'],
    ['cases', 'create', import.meta.filename, '-p', 'jana@example.com'],
  ]
  for (const args of wrong) {
    const { code, stderr } = await sigcase(t, ...args)
    t.equal(code, 2, args.join(' '))
    t.match(stderr, /^sigcase: /)
    t.notMatch(stderr, /^ +at /m)
  }
})

t.test('an argument that is not an id is named, and the service is not asked', async (t) => {
  const wrong: Record<string, readonly string[]> = {
    caseId: ['deliveries', 'redeliver', 'a1b2', UNKNOWN_ID],
    eventId: ['deliveries', 'redeliver', UNKNOWN_ID, '<eventId>'],
    participantId: ['cases', 'remind', UNKNOWN_ID, 'Jana'],
    deviceId: ['devices', 'remove', `${UNKNOWN_ID}0`],
  }
  for (const [argument, args] of Object.entries(wrong)) {
    const { code, stderr } = await sigcase(t, ...args)
    t.equal(code, 2, argument)
    t.match(
      stderr,
      new RegExp(`^sigcase: ${argument} is a UUID, such as [0-9a-f-]{36}; .+ is not one$`),
    )
  }
  const missing = await sigcase(t, 'cases', 'get', UNKNOWN_ID.toUpperCase())
  t.match(missing, { code: 1, stderr: /^sigcase: NOT_FOUND: / }, 'upper case is as good')
  t.equal((await sigcase(t, 'deliveries', 'redeliver', UNKNOWN_ID, UNKNOWN_ID)).code, 1)
})
