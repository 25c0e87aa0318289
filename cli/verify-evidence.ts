/**
 * `npm run --silent verify-evidence -- evidence.pdf signed.pdf [--trust root.pem …] [--json]`:
 * checks each link between the two files, offline. Exit codes: 0 when all links hold, 1 after the
 * first broken one, 2 for wrong arguments.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { EnvironmentReader } from '../runtime/config/reader.ts'
import { readDataDirectory } from '../runtime/config/service.ts'
import { rootCertificatePath } from '../runtime/embedded/paths.ts'
import { verifyEvidence } from './evidence/verify.ts'
import { readGiven, readTrust } from './files.ts'
import { calledFrom, runTool, UsageError } from './usage.ts'

const USAGE =
  'usage: npm run --silent verify-evidence -- evidence.pdf signed.pdf [--trust root.pem …] [--json]'

const CALLED_FROM = calledFrom('verify-evidence')

type Results = ReturnType<typeof verifyEvidence>

/** @returns the exit code */
async function printLines(results: Results, roots: string): Promise<number> {
  for await (const { link, holds, detail } of results) {
    console.log(`${holds ? 'ok    ' : 'BROKEN'}  ${link}: ${detail}`)
    if (holds) continue
    console.log(`Trusted: ${roots}. --trust names another root.`)
    return 1
  }
  console.log('All links hold.')
  return 0
}

/**
 * Prints the links up to the first broken one.
 *
 * @returns the exit code
 */
async function printJson(results: Results, trusted: string | null = null): Promise<number> {
  const links = []
  for await (const result of results) {
    links.push(result)
    if (!result.holds) break
  }
  const isWhole = links.every(({ holds }) => holds)
  console.log(JSON.stringify({ isWhole, trusted, links }, null, 2))
  return isWhole ? 0 : 1
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      trust: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
    },
  })
  const [evidencePath, signedPath, ...rest] = positionals
  if (evidencePath === undefined || signedPath === undefined || rest.length > 0) {
    throw new UsageError('two files are needed')
  }
  const dataDirectory = readDataDirectory(new EnvironmentReader(process.env))
  const trusted = readTrust(values.trust, dataDirectory, CALLED_FROM)
  const results = verifyEvidence({
    evidence: readGiven(evidencePath, CALLED_FROM),
    signed: readGiven(signedPath, CALLED_FROM),
    now: new Date(),
    ...trusted,
  })
  const origin = trusted.trust?.origin
  if (values.json) return await printJson(results, origin)
  return printLines(results, origin ?? `none, there is no ${rootCertificatePath(dataDirectory)}`)
}

await runTool(main, USAGE)
