/** Finds the service and the tenant's token for the commands of `sigcase` that use the REST API. */
import { existsSync, readFileSync } from 'node:fs'
import process from 'node:process'
import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs'
import { SigcaseClient } from '../../clients/typescript/src/index.ts'
import { isUuid } from '../../domain/ids.ts'
import { baseUrlOf } from '../../runtime/embedded/base-url.ts'
import { readConfig, type Config } from '../../runtime/embedded/config.ts'
import { keyringFolder } from '../../runtime/embedded/paths.ts'
import { tenantToken } from '../tenant-token.ts'
import { UsageError } from '../usage.ts'
import { OUTPUT_FORMATS, type OutputFormat } from './output.ts'

const STANDARD_TENANT = 'demo'

/** Options of every command that uses the REST API. */
export interface ConnectionOptions {
  url: string | undefined
  tenant: string
  tokenFile: string | undefined
  output: OutputFormat
}

/** Declares the options of {@link ConnectionOptions}. */
function addConnectionOptions<T>(command: Argv<T>): Argv<T & ConnectionOptions> {
  return command
    .option('url', {
      type: 'string',
      describe: 'URL of the service; SIGCASE_URL, or the service on this machine, by default',
    })
    .option('token-file', {
      type: 'string',
      describe: 'file with the bearer token of the tenant; SIGCASE_TOKEN by default',
    })
    .option('tenant', {
      type: 'string',
      default: STANDARD_TENANT,
      describe: 'tenant, for a token of the service on this machine',
    })
    .option('output', {
      alias: 'o',
      choices: OUTPUT_FORMATS,
      default: 'table' as OutputFormat,
      describe: 'format of the result',
    }) as unknown as Argv<T & ConnectionOptions>
}

/** @throws UsageError when the file cannot be read */
function readTokenFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    throw new UsageError(`${path} cannot be read`)
  }
}

/** Creates a token with the keys of the service on this machine. */
async function makeLocalToken({ dataDirectory }: Config, tenant: string): Promise<string> {
  if (!existsSync(keyringFolder(dataDirectory))) {
    throw new UsageError(
      `There is no token: set SIGCASE_TOKEN or --token-file. ${dataDirectory} has no keys of a ` +
        'service on this machine (DATA_DIR)',
    )
  }
  return tenantToken(dataDirectory, tenant, new Date())
}

/**
 * Opens a client. A token is read from a file or from the environment, because other users of the
 * machine can see the arguments of a process.
 *
 * @throws UsageError when there is no token
 */
async function openClient(options: ConnectionOptions): Promise<SigcaseClient> {
  const { SIGCASE_URL, SIGCASE_TOKEN } = process.env
  const { url = SIGCASE_URL, tokenFile, tenant } = options
  const given = tokenFile === undefined ? SIGCASE_TOKEN : readTokenFile(tokenFile)
  // The configuration of this machine does not matter for a service elsewhere.
  const isLocal = url === undefined || given === undefined
  const config = isLocal ? readConfig(process.env) : undefined
  const token = given ?? (await makeLocalToken(config as Config, tenant))
  const baseUrl = url ?? baseUrlOf(config as Config, (config as Config).port)
  if (URL.parse(baseUrl) === null) throw new UsageError(`${baseUrl} is not a URL`)
  return new SigcaseClient({ baseUrl, token })
}

/** An argument that is an id, in the name and positional arguments of a command. */
const ID_ARGUMENT = /[<[](\w+Id)[>\]]/g
const SOME_ID = 'b9c1d8f0-5b6e-4f3a-9d7c-2e1f0a4b8c6d'

/**
 * Checks the arguments that are ids: the service only says that it has no such case.
 *
 * @throws UsageError for one that is not an id
 */
function assertIds(command: string, given: Readonly<Record<string, unknown>>): void {
  for (const [, name = ''] of command.matchAll(ID_ARGUMENT)) {
    const id = given[name]
    if (typeof id !== 'string' || isUuid(id.toLowerCase())) continue
    throw new UsageError(`${name} is a UUID, such as ${SOME_ID}; ${id} is not one`)
  }
}

/** A command that uses the REST API. */
export interface ApiCommand<T> {
  /** Name and positional arguments, as yargs reads them: `get <caseId>`. */
  command: string
  describe: string
  /** Declares the command's own options. */
  options?: (command: Argv<ConnectionOptions>) => Argv<T>
  run: (client: SigcaseClient, options: ArgumentsCamelCase<T> & ConnectionOptions) => Promise<void>
}

/** Builds a command with the options of the connection and its own. */
export function apiCommand<T>({ command, describe, options, run }: ApiCommand<T>): CommandModule {
  return {
    command,
    describe,
    builder: (builder) => {
      const withConnection = addConnectionOptions(builder)
      return (options?.(withConnection) ?? withConnection) as unknown as Argv
    },
    handler: async (given) => {
      assertIds(command, given)
      const chosen = given as unknown as ArgumentsCamelCase<T> & ConnectionOptions
      await run(await openClient(chosen), chosen)
    },
  }
}

/** A command that only has other commands. */
export function groupCommand(
  command: string,
  describe: string,
  commands: readonly CommandModule[],
): CommandModule {
  return {
    command,
    describe,
    builder: (builder) => builder.command([...commands]).demandCommand(1, 1, 'Name a command'),
    handler: () => undefined,
  }
}
