/**
 * `npm run --silent verify-evidence -- evidence.pdf signed.pdf [--trust root.pem]`: says of each
 * link between the two files whether it holds. Ends with 0 when all do, 1 at the first broken one,
 * 2 when it is called wrongly. It needs no network and no service.
 */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { rootCertificatePath } from '../embedded/paths.ts'
import { certificatesOfPem } from './evidence/pem.ts'
import { verifyEvidence } from './evidence/verify.ts'
import type { Trust } from './evidence/work.ts'
import { calledFrom, runTool, UsageError } from './usage.ts'

const USAGE =
  'usage: npm run --silent verify-evidence -- evidence.pdf signed.pdf [--trust root.pem]'

const CALLED_FROM = calledFrom('verify-evidence')

function read(path: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(resolve(CALLED_FROM, path)))
  } catch {
    throw new UsageError(`${path} cannot be read`)
  }
}

/** @param own root of the service whose data directory this is, trusted when no other is given */
function trustOf(paths: readonly string[], own: string): { trust?: Trust } {
  const chosen = paths.length > 0 ? paths : existsSync(own) ? [own] : []
  const certificates = chosen.flatMap((path) => {
    const found = certificatesOfPem(new TextDecoder().decode(read(path)))
    if (found.length === 0) throw new UsageError(`${path} holds no certificate in PEM`)
    return found
  })
  return certificates.length > 0 ? { trust: { certificates, origin: chosen.join(', ') } } : {}
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { trust: { type: 'string', multiple: true, default: [] } },
  })
  const [evidencePath, signedPath, ...rest] = positionals
  if (evidencePath === undefined || signedPath === undefined || rest.length > 0) {
    throw new UsageError('two files are needed')
  }
  const own = rootCertificatePath(resolve(process.env.DATA_DIR ?? '.data'))
  const trusted = trustOf(values.trust, own)
  const results = verifyEvidence({
    evidence: read(evidencePath),
    signed: read(signedPath),
    now: new Date(),
    ...trusted,
  })
  for await (const { link, holds, detail } of results) {
    console.log(`${holds ? 'ok    ' : 'BROKEN'}  ${link}: ${detail}`)
    if (holds) continue
    const roots = trusted.trust?.origin ?? `none, there is no ${own}`
    console.log(`Trusted: ${roots}. --trust names another root.`)
    return 1
  }
  console.log('All links hold.')
  return 0
}

await runTool(main, USAGE)
