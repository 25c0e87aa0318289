/**
 * `npm run --silent verify-evidence -- evidence.pdf signed.pdf [--trust root.pem]`: checks
 * each link between the two files, offline. Exit codes: 0 when all links hold, 1 after the first
 * broken one, 2 for wrong arguments.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { EnvironmentReader } from '../runtime/config/reader.ts'
import { readDataDirectory } from '../runtime/config/service.ts'
import { rootCertificatePath } from '../runtime/embedded/paths.ts'
import { verifyEvidence } from './evidence/verify.ts'
import { readGiven, trustOf } from './files.ts'
import { calledFrom, runTool, UsageError } from './usage.ts'

const USAGE =
  'usage: npm run --silent verify-evidence -- evidence.pdf signed.pdf [--trust root.pem]'

const CALLED_FROM = calledFrom('verify-evidence')

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { trust: { type: 'string', multiple: true, default: [] } },
  })
  const [evidencePath, signedPath, ...rest] = positionals
  if (evidencePath === undefined || signedPath === undefined || rest.length > 0) {
    throw new UsageError('two files are needed')
  }
  const dataDirectory = readDataDirectory(new EnvironmentReader(process.env))
  const trusted = trustOf(values.trust, dataDirectory, CALLED_FROM)
  const results = verifyEvidence({
    evidence: readGiven(evidencePath, CALLED_FROM),
    signed: readGiven(signedPath, CALLED_FROM),
    now: new Date(),
    ...trusted,
  })
  for await (const { link, holds, detail } of results) {
    console.log(`${holds ? 'ok    ' : 'BROKEN'}  ${link}: ${detail}`)
    if (holds) continue
    const roots = trusted.trust?.origin ?? `none, there is no ${rootCertificatePath(dataDirectory)}`
    console.log(`Trusted: ${roots}. --trust names another root.`)
    return 1
  }
  console.log('All links hold.')
  return 0
}

await runTool(main, USAGE)
