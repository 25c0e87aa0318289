/** Both scripts take a case from its PDF to a verified signature, and are as short as we say. */
import { spawn } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import t, { type Test } from 'tap'
import { compile, installClient, ROOT } from '../clients/packed.ts'
import { waitFor, waitForStatus } from '../clients/world.ts'
import { openWorld, type World } from '../conformance/world.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'

t.setTimeout(300_000)
const EXAMPLE = join(ROOT, 'examples/quickstart')

/** Runs a script in the folder, and signs the case that it creates. @returns what it printed */
async function runAndSign(t: Test, world: World, folder: string, script: string) {
  const environment = { SIGCASE_URL: world.url, SIGCASE_TOKEN: await world.token() }
  const child = spawn(process.execPath, [script, 'contract.pdf', 'jana@example.com'], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const find = async () => /^case (\S+) waits/m.exec(output)?.[1]
  const caseId = await waitFor('a case', find)
  const { participants } = await waitForStatus(world, caseId, 'IN_PROGRESS')
  const field = { page: 1, x: 72, y: 500, width: 200, height: 60, unit: 'pt' }
  t.equal((await world.sign(participants[0], { signatures: [field] })).status, 200)
  t.equal(await ended, 0)
  return output
}

t.test('a case needs under 30 lines with the client, and under 60 without', async (t) => {
  const lines = async (name: string) =>
    (await readFile(join(EXAMPLE, name), 'utf8')).trimEnd().split('\n').length
  t.ok((await lines('sdk.ts')) < 30)
  t.ok((await lines('plain-fetch.mjs')) < 60)
})

t.test('both scripts create, upload, wait and verify', async (t) => {
  const world = await openWorld(t)
  const { folder } = await installClient(t)
  for (const name of ['sdk.ts', 'plain-fetch.mjs'])
    await cp(join(EXAMPLE, name), join(folder, name))
  await writeFile(join(folder, 'contract.pdf'), await smallDocument())
  await compile(folder)
  for (const name of ['sdk.ts', 'plain-fetch.mjs']) {
    t.match(await runAndSign(t, world, folder, name), /^TOTAL_PASSED$/m, name)
    const signed = await readFile(join(folder, 'contract-signed.pdf'))
    t.equal(signed.subarray(0, 5).toString('latin1'), '%PDF-')
    await writeFile(join(folder, 'contract-signed.pdf'), '')
  }
})
