/**
 * `node tools/run-case.ts`: brings one case from NEW to DONE on the service at `BASE_URL`, with the bearer token
 * in the file `TOKEN_FILE`. `helm test` runs it as a pod.
 */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { parseBaseUrl } from '../config/parsers.ts'
import { ConfigError, EnvironmentReader } from '../config/reader.ts'
import { composeDocument } from '../pades/index.ts'
import { runDemo } from './demo/flow.ts'
import { runTool } from './usage.ts'

const TITLE = 'Test of an installation'

async function main(): Promise<number> {
  const reader = new EnvironmentReader(process.env)
  const baseUrl = reader.readNeeded('BASE_URL', 'an http or https URL', parseBaseUrl)
  const tokenFile = reader.readNeeded('TOKEN_FILE', 'a path', (text) => text)
  if (reader.faults.length > 0) throw new ConfigError(reader.faults)
  const now = () => new Date()
  const pdf = await composeDocument({
    language: 'en',
    title: TITLE,
    author: 'sigcase',
    createdAt: now(),
    blocks: [{ kind: 'paragraph', text: TITLE }],
    attachments: [],
  })
  await runDemo({
    baseUrl,
    token: readFileSync(tokenFile, 'utf8').trim(),
    title: TITLE,
    pdf: new Uint8Array(pdf),
    now,
    progress: (line) => console.log(line),
  })
  return 0
}

await runTool(main, 'usage: BASE_URL=… TOKEN_FILE=… node tools/run-case.ts')
