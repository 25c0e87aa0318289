/**
 * `npm run demo -- some.pdf`: runs the whole flow over HTTP and writes `<title>-signed.pdf` and
 * `<title>-evidence.pdf` to the current folder. It uses the service at `BASE_URL`, or at `HOST` and
 * `PORT`, and starts a service if none answers there and no token of that service was given. With
 * `--cluster` it uses `npm run cluster`.
 */
import { readFileSync } from 'node:fs'
import { parse, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { documentNames } from '../domain/cases/document-names.ts'
import { MAXIMUM_TITLE_LENGTH } from '../domain/limits.ts'
import { shortened, singleLine } from '../domain/mail/safe-text.ts'
import { baseUrlOf } from '../runtime/embedded/base-url.ts'
import { readConfig, type Config } from '../runtime/embedded/config.ts'
import { DemoError, isHealthy } from './demo/client.ts'
import { runDemo, type DemoResult } from './demo/flow.ts'
import { startOwnService, type OwnService } from './demo/own-service.ts'
import { readGiven, writeMade } from './files.ts'
import { tenantToken } from './tenant-token.ts'
import { calledFrom, runTool, UsageError } from './usage.ts'

const USAGE = `usage: npm run demo -- some.pdf [--cluster] [--tenant demo] [--token <bearer token>]
BASE_URL, or HOST and PORT, are the address of the service. Set DATA_DIR to that of the service, or
--token to one of its tokens.`

const CALLED_FROM = calledFrom('demo')

const progress = (line: string) => console.log(`  ${line}`)

/** Finds the URL of the local cluster, and the folder with its keys. */
async function findCluster(): Promise<{ baseUrl: string; folder: string }> {
  // Images have no developer tools.
  const { addressFile, clusterFolder } = await import('../dev/local-cluster/folder.ts')
  const folder = clusterFolder(process.env)
  try {
    const { url } = JSON.parse(readFileSync(addressFile(folder), 'utf8')) as { url: string }
    return { baseUrl: url, folder }
  } catch {
    throw new UsageError('no local cluster is running: start one with `npm run cluster`')
  }
}

/** @param mustRun a service that the demo starts would not accept the token */
async function findService(config: Config, mustRun: boolean): Promise<OwnService> {
  const baseUrl = baseUrlOf(config, config.port)
  if (await isHealthy(baseUrl)) {
    progress(`using the service at ${baseUrl}`)
    return { baseUrl, end: async () => undefined }
  }
  if (mustRun) throw new DemoError(`no service answers at ${baseUrl}, whose token was given`)
  const own = await startOwnService()
  progress(`no service at ${baseUrl}: started one at ${own.baseUrl}`)
  return own
}

function writeResult(title: string, { signed, evidence }: DemoResult): void {
  const documents = { signed, evidence } as const
  for (const kind of ['signed', 'evidence'] as const) {
    const path = resolve(CALLED_FROM, documentNames(title)[kind])
    writeMade(path, documents[kind], CALLED_FROM)
    console.log(`${kind.padEnd(8)}  ${path}`)
  }
}

/** A token is signed with keys of the data directory, which another service does not have. */
const otherKeys = (baseUrl: string, { dataDirectory }: Config, cause: Error) =>
  new DemoError(
    `${cause.message}\nThe token was made with the keys in ${dataDirectory}, which the service ` +
      `at ${baseUrl} does not know: set DATA_DIR to the folder that it named when it started, ` +
      'or give --token',
    { cause },
  )

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      cluster: { type: 'boolean', default: false },
      tenant: { type: 'string', default: 'demo' },
      token: { type: 'string' },
    },
  })
  const [path, ...rest] = positionals
  if (path === undefined || rest.length > 0) throw new UsageError('give one PDF')
  const pdf = readGiven(path, CALLED_FROM)
  const title = shortened(singleLine(parse(path).name), MAXIMUM_TITLE_LENGTH) || 'document'
  const config = readConfig(process.env)
  const now = () => new Date()
  const cluster = values.cluster ? await findCluster() : undefined
  const folder = cluster?.folder ?? config.dataDirectory
  const token = values.token ?? (await tenantToken(folder, values.tenant, now()))
  const service = cluster
    ? { ...cluster, end: async () => undefined }
    : await findService(config, values.token !== undefined)
  try {
    const { baseUrl } = service
    writeResult(title, await runDemo({ baseUrl, token, title, pdf, now, progress }))
  } catch (error) {
    const isForeign = error instanceof DemoError && error.status === 401
    if (!isForeign || values.token !== undefined) throw error
    throw otherKeys(service.baseUrl, config, error)
  } finally {
    await service.end()
  }
  return 0
}

await runTool(main, USAGE)
