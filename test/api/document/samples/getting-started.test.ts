/** "Getting started" of the API reference is true: its scripts bring a case to TOTAL_PASSED. */
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import t, { type Test } from 'tap'
import { documentInfo } from '../../../../api/document/introduction.ts'
import { linkClient } from '../../../clients/linked.ts'
import { missingPython, PYTHON_ENVIRONMENT } from '../../../clients/python.ts'
import { waitFor } from '../../../clients/world.ts'
import { openWorld, type World } from '../../../conformance/world.ts'
import { has } from '../../../e2e/harness.ts'
import { codeBlocksOf } from '../../../fixtures/api-document.ts'
import { smallDocument } from '../../../fixtures/signed-by-all.ts'

t.setTimeout(300_000)

const LINE_LIMIT = 60
const noPython = await missingPython()
const noShell =
  (await has('curl')) && (await has('jq')) ? false : 'there is no curl or there is no jq'

const { description } = documentInfo('http://127.0.0.1:8080')
const blocksOf = (language: string) => codeBlocksOf(description, language)

interface Script {
  name: string
  program: string
  args?: readonly string[]
  code: string
  environment?: NodeJS.ProcessEnv
}

/** Starts a script in a folder. @returns how it ends: its exit code and what it printed */
async function startScript(t: Test, world: World, folder: string, script: Script) {
  const { name, program, args = [], code, environment = process.env } = script
  await writeFile(join(folder, name), `${code}\n`)
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
  const ended = new Promise<{ status: number | null; output: string }>((resolve) =>
    child.on('close', (status) => resolve({ status, output })),
  )
  return { ended }
}

async function listCases(world: World): Promise<string[]> {
  const { cases } = (await world.asTenant('GET', '/cases')).json
  return (cases as { id: string }[]).map(({ id }) => id)
}

/** Waits for a new case of the tenant, and signs it with the script of "Sign in a test". */
async function signNewCase(t: Test, world: World, folder: string, known: readonly string[]) {
  const caseId = await waitFor('a case', async () =>
    (await listCases(world)).find((id) => !known.includes(id)),
  )
  await linkClient(folder)
  const environment = { ...process.env, CASE_ID: caseId }
  const code = blocksOf('typescript')[1]!
  const script = { name: 'sign.ts', program: process.execPath, code, environment }
  const { ended } = await startScript(t, world, folder, script)
  t.match(await ended, { status: 0 }, 'the script that signs ends well')
}

/** Runs a script beside `contract.pdf` and signs its case. @returns what it printed */
async function runScript(t: Test, world: World, folder: string, script: Script): Promise<string> {
  await writeFile(join(folder, 'contract.pdf'), await smallDocument())
  const known = await listCases(world)
  const { ended } = await startScript(t, world, folder, script)
  await signNewCase(t, world, folder, known)
  const { status, output } = await ended
  t.equal(status, 0, `${script.name} ends well`)
  const signed = await readFile(join(folder, 'contract-signed.pdf'))
  t.equal(signed.subarray(0, 5).toString('latin1'), '%PDF-')
  return output
}

t.test('each script has under 60 lines', async (t) => {
  for (const language of ['shell', 'typescript', 'python']) {
    const code = blocksOf(language).find((block) => block.includes('verify')) ?? ''
    t.match(code, /contract-signed/, language)
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
