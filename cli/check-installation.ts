/**
 * `node cli/check-installation.ts`: waits until the service at `SERVICE_URL` is ready and its
 * canary has passed. With the bearer token of a tenant in the file `TOKEN_FILE`, it then brings one
 * case from NEW to DONE: documents and drawings are read, signed and time-stamped, objects written
 * and read, mails sent. `helm test` runs it.
 */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseBaseUrl } from '../runtime/config/parsers.ts'
import { ConfigError, EnvironmentReader } from '../runtime/config/reader.ts'
import { composeDocument } from '../pades/index.ts'
import { runDemo } from './demo/flow.ts'
import { runTool } from './usage.ts'

const TITLE = 'Test of an installation'
/** A canary runs every minute; the first ones may fail while backends are still starting. */
const STANDARD_WAIT_SECONDS = 180
const MAXIMUM_WAIT_SECONDS = 3_600
const POLL_MS = 1_000
const REQUEST_LIMIT_MS = 10_000

interface Readiness {
  checks?: { canary?: { outcome?: string } }
}

/** Reads the readiness of the service. @returns undefined when it does not answer */
async function readReadiness(url: string): Promise<{ isReady: boolean; text: string } | undefined> {
  try {
    const signal = AbortSignal.timeout(REQUEST_LIMIT_MS)
    const answer = await fetch(`${url}/readyz`, { signal })
    const text = await answer.text()
    const { checks } = JSON.parse(text) as Readiness
    return { isReady: answer.ok && checks?.canary?.outcome === 'passed', text }
  } catch {
    return undefined
  }
}

/** @throws Error with the last answer when the service is not ready in time */
async function waitUntilReady(url: string, waitSeconds: number): Promise<void> {
  const deadlineMs = performance.now() + waitSeconds * 1_000
  for (;;) {
    const seen = await readReadiness(url)
    if (seen?.isReady) return console.log(`ready: ${seen.text}`)
    if (performance.now() > deadlineMs) {
      throw new Error(`not ready within ${waitSeconds} s: ${seen?.text ?? 'it does not answer'}`)
    }
    await sleep(POLL_MS)
  }
}

async function runCase(baseUrl: string, token: string): Promise<void> {
  const now = () => new Date()
  const pdf = await composeDocument({
    language: 'en',
    title: TITLE,
    author: 'sigcase',
    createdAt: now(),
    blocks: [{ kind: 'paragraph', text: TITLE }],
    attachments: [],
  })
  const progress = (line: string) => console.log(line)
  await runDemo({ baseUrl, token, title: TITLE, pdf: new Uint8Array(pdf), now, progress })
}

function parseSeconds(text: string): number | undefined {
  const seconds = Number(text)
  return seconds > 0 && seconds <= MAXIMUM_WAIT_SECONDS ? seconds : undefined
}

async function main(): Promise<number> {
  const reader = new EnvironmentReader(process.env)
  const url = reader.readNeeded('SERVICE_URL', 'an http or https URL', parseBaseUrl)
  const tokenFile = reader.read<string | undefined>(
    'TOKEN_FILE',
    undefined,
    'a path',
    (text) => text,
  )
  const waitSeconds = reader.read('WAIT_SECONDS', STANDARD_WAIT_SECONDS, 'seconds', parseSeconds)
  if (reader.faults.length > 0) throw new ConfigError(reader.faults)
  await waitUntilReady(url, waitSeconds)
  if (tokenFile !== undefined) await runCase(url, readFileSync(tokenFile, 'utf8').trim())
  return 0
}

await runTool(main, 'usage: SERVICE_URL=… [TOKEN_FILE=…] node cli/check-installation.ts')
