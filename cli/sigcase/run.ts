/** Runs one command line of `sigcase`. */
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
    .completion('completion', 'print the completion script for bash or zsh')
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
    await buildParser(args).parseAsync()
    return 0
  } catch (error) {
    console.error(`sigcase: ${describeFailure(error)}`)
    return chooseExitCode(error)
  }
}
