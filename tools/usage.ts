/** How developer commands end: a sentence instead of a stack, and the exit code that says why. */
import process from 'node:process'

const USAGE_EXIT_CODE = 2

/** The command was called wrongly. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * The folder that relative paths of the command line start from: `npm run` changes to the folder of
 * the package, and says where it was called.
 *
 * @param script name in package.json
 */
export function calledFrom(script: string, environment = process.env): string {
  const isByNpm = environment.npm_lifecycle_event === script
  return (isByNpm ? environment.INIT_CWD : undefined) ?? process.cwd()
}

/** `util.parseArgs` names what it does not understand by such codes. */
function isUsageFault(error: unknown): error is Error {
  if (error instanceof UsageError) return true
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('ERR_PARSE_ARGS')
}

/**
 * Runs the command, or says with `--help` how to, and sets the exit code: what `main` returns, 2
 * when it was called wrongly, 1 when it failed.
 */
export async function runTool(main: () => Promise<number>, usage: string): Promise<void> {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    console.log(usage)
    return
  }
  try {
    process.exitCode = await main()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const isUsage = isUsageFault(error)
    console.error(isUsage ? `${message}\n${usage}` : message)
    process.exitCode = isUsage ? USAGE_EXIT_CODE : 1
  }
}
