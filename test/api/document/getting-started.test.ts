/** "Getting started" of the API reference is true: its scripts bring a case to TOTAL_PASSED. */
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import t, { type Test } from 'tap'
import { documentInfo } from '../../../api/document/introduction.ts'
import { linkClient } from '../../clients/linked.ts'
import { missingPython, PYTHON_ENVIRONMENT } from '../../clients/python.ts'
import { waitFor, waitForStatus } from '../../clients/world.ts'
import { openWorld, type World } from '../../conformance/world.ts'
import { has } from '../../e2e/harness.ts'
import { codeBlocksOf } from '../../fixtures/api-document.ts'
import { smallDocument } from '../../fixtures/signed-by-all.ts'

t.setTimeout(300_000)

const LINE_LIMIT = 60
const noPython = await missingPython()
const noShell =
  (await has('curl')) && (await has('jq')) ? false : 'there is no curl or there is no jq'

const { description } = documentInfo('http://127.0.0.1:8080')
const blocksOf = (language: string) => codeBlocksOf(description, language)

/** Signs the newest case of the tenant when it waits for its participant. */
async function signNewest(t: Test, world: World, known: ReadonlySet<string>): Promise<string> {
  const caseId = await waitFor('a case', async () => {
    const { cases } = (await world.asTenant('GET', '/cases')).json
    return (cases as { id: string }[]).map(({ id }) => id).find((id) => !known.has(id))
  })
  const { participants } = await waitForStatus(world, caseId, 'IN_PROGRESS')
  const field = { page: 1, x: 72, y: 500, width: 200, height: 60, unit: 'pt' }
  t.equal((await world.sign(participants[0], { signatures: [field] })).status, 200)
  return caseId
}

interface Script {
  name: string
  program: string
  args?: readonly string[]
  code: string
  environment?: NodeJS.ProcessEnv
}

/** Runs a script beside `contract.pdf` and signs its case. @returns what it printed */
async function runScript(t: Test, world: World, folder: string, script: Script): Promise<string> {
  const { name, program, args = [], code, environment = process.env } = script
  await writeFile(join(folder, name), `${code}\n`)
  await writeFile(join(folder, 'contract.pdf'), await smallDocument())
  const { cases } = (await world.asTenant('GET', '/cases')).json
  const known = new Set((cases as { id: string }[]).map(({ id }) => id))
  const child = spawn(program, [...args, name], {
    cwd: folder,
    env: { ...environment, SIGCASE_URL: world.url, SIGCASE_TOKEN: await world.token() },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  await signNewest(t, world, known)
  t.equal(await ended, 0, `${name} ends well`)
  const signed = await readFile(join(folder, 'contract-signed.pdf'))
  t.equal(signed.subarray(0, 5).toString('latin1'), '%PDF-')
  return output
}

t.test('each script has under 60 lines', async (t) => {
  for (const language of ['shell', 'typescript', 'python']) {
    const code = blocksOf(language).at(-1) ?? ''
    t.match(code, /verify/, language)
    t.ok(code.split('\n').length < LINE_LIMIT, language)
  }
})

t.test('the script for curl creates, uploads, waits and verifies', { skip: noShell }, async (t) => {
  const world = await openWorld(t)
  const script = { name: 'case.sh', program: 'sh', args: ['-eu'], code: blocksOf('shell').at(-1)! }
  t.match(await runScript(t, world, t.testdir({}), script), /^TOTAL_PASSED$/m)
})

t.test('the script in TypeScript creates, uploads, waits and verifies', async (t) => {
  const world = await openWorld(t)
  const folder = t.testdir({})
  await linkClient(folder)
  const script = { name: 'case.ts', program: process.execPath, code: blocksOf('typescript')[0]! }
  t.match(await runScript(t, world, folder, script), /^TOTAL_PASSED$/m)
})

t.test(
  'the script in Python creates, uploads, waits and verifies',
  { skip: noPython },
  async (t) => {
    const world = await openWorld(t)
    const code = blocksOf('python')[0]!
    const script = { name: 'case.py', program: 'python3', code, environment: PYTHON_ENVIRONMENT }
    t.match(await runScript(t, world, t.testdir({}), script), /^TOTAL_PASSED$/m)
  },
)
