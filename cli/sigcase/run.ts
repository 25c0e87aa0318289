/** Runs one command line of `sigcase`. */
import process from 'node:process'
import yargs, { type CommandModule } from 'yargs'
import { SigcaseError } from '../../clients/typescript/src/index.ts'
import { UsageError } from '../usage.ts'
import { casesCommand } from './cases.ts'
import { deliveriesCommand } from './deliveries.ts'
import { devicesCommand } from './devices.ts'
import { doctorCommand } from './doctor.ts'
import { chooseExitCode } from './exit-codes.ts'
import { programCommands } from './programs.ts'
import { tenantCommand } from './tenants.ts'

/** The reference page has the same lines as every terminal. */
const HELP_COLUMNS = 100

/** Returns why a command failed: the code of the service first, for people who look it up. */
function describeFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof SigcaseError ? `${error.code}: ${message}` : message
}

const COMPLETION = 'completion'
const SHELLS: readonly string[] = ['bash', 'zsh']

/**
 * Takes the shell from `completion bash`. yargs knows no such argument: it reads the shell from the
 * environment.
 *
 * @returns the command line without the shell
 * @throws UsageError on another shell
 */
function takeShell(args: readonly string[]): readonly string[] {
  const [command, shell] = args
  if (command !== COMPLETION || shell === undefined || shell.startsWith('-')) return args
  if (!SHELLS.includes(shell)) throw new UsageError(`completion knows ${SHELLS.join(' and ')}`)
  process.env.SHELL = shell
  process.env.ZSH_NAME = ''
  return [command, ...args.slice(2)]
}

/** Builds the parser with all commands. */
export function buildParser(args: readonly string[]) {
  return yargs([...args])
    .scriptName('sigcase')
    .command([
      casesCommand,
      deliveriesCommand,
      devicesCommand,
      tenantCommand,
      doctorCommand as unknown as CommandModule,
      ...programCommands(),
    ])
    .completion(COMPLETION, 'print the completion script for bash or zsh')
    .demandCommand(1, 1, 'Name a command')
    .strict()
    .wrap(HELP_COLUMNS)
    .version(false)
    .exitProcess(false)
    .fail((message, error) => {
      // yargs gives a message for wrong arguments, and an error of the command itself.
      throw error ?? new UsageError(`${message}\nsigcase --help lists commands and options`)
    })
}

/**
 * Runs a command. Prints its result to standard output, and a failure without a stack trace to
 * standard error.
 *
 * @returns the exit code
 */
export async function runSigcase(args: readonly string[]): Promise<number> {
  try {
    await buildParser(takeShell(args)).parseAsync()
    return 0
  } catch (error) {
    console.error(`sigcase: ${describeFailure(error)}`)
    return chooseExitCode(error)
  }
}
