/** Runs developer commands: prints errors without a stack trace, and sets the exit code. */
import process from 'node:process'

const USAGE_EXIT_CODE = 2

/** Commands of `sigcase` whose script has another name. */
const COMMANDS: Readonly<Record<string, string>> = {
  'make-keyring': 'keyring create',
  'rotate-keys': 'keyring rotate',
  'split-keyring': 'keyring split',
}

/** Error for wrong arguments of a command. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Returns the folder for relative paths of the command line. `npm run` changes to the folder of the
 * package, and passes the original folder in `INIT_CWD`.
 *
 * @param script name in package.json
 */
export function calledFrom(script: string, environment = process.env): string {
  const isByNpm = [script, 'sigcase'].includes(environment.npm_lifecycle_event ?? '')
  return (isByNpm ? environment.INIT_CWD : undefined) ?? process.cwd()
}

/**
 * Names the command as it was called: as a script of npm, or as `sigcase`.
 *
 * @param program path of the program that was called
 */
export function nameCommand(usage: string, program = process.argv[1] ?? ''): string {
  if (!/sigcase(\.[jt]s)?$/.test(program)) return usage
  return usage.replaceAll(/npm run (?:--silent )?([\w-]+)(?: --)?/g, (_match, script: string) =>
    script === 'sigcase' ? script : `sigcase ${COMMANDS[script] ?? script}`,
  )
}

/** Recognises the errors of `util.parseArgs`. */
function isUsageFault(error: unknown): error is Error {
  if (error instanceof UsageError) return true
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('ERR_PARSE_ARGS')
}

/**
 * Runs the command, or prints the usage for `--help`, and sets the exit code: the result of `main`,
 * 2 for wrong arguments, 1 for other errors.
 */
export async function runTool(main: () => Promise<number>, usage: string): Promise<void> {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    console.log(nameCommand(usage))
    return
  }
  try {
    process.exitCode = await main()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const isUsage = isUsageFault(error)
    console.error(isUsage ? `${message}\n${nameCommand(usage)}` : message)
    process.exitCode = isUsage ? USAGE_EXIT_CODE : 1
  }
}
