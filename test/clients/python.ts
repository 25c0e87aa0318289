/** Runs programs with the Python client. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { sendInput } from '../../dev/program-input.ts'
import { has } from '../e2e/harness.ts'

const FOLDER = join(import.meta.dirname, 'python')
const LIMIT_MS = 240_000
/** The client needs Python 3.11. */
const OLDEST_MINOR = 11

/** Environment in which `import sigcase` finds the client. */
export const PYTHON_ENVIRONMENT = {
  ...process.env,
  PYTHONPATH: join(import.meta.dirname, '../../clients/python/src'),
  // No compiled files beside the sources.
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONIOENCODING: 'utf-8',
  PYTHONWARNINGS: 'error',
}

function readOutput(program: string, args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env: PYTHON_ENVIRONMENT, timeout: LIMIT_MS, cwd: FOLDER }
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stderr}`))
      else resolve(stdout)
    })
    sendInput(child, input)
  })
}

/** Why tests of the Python client cannot run here; false when they can. */
export async function missingPython(): Promise<string | false> {
  if (!(await has('python3'))) return 'there is no python3'
  const version = await readOutput('python3', ['-c', 'import sys; print(sys.version_info.minor)'])
  return Number(version) >= OLDEST_MINOR ? false : 'python3 is older than 3.11'
}

/** Runs a program of `test/clients/python`. @returns what it printed */
export function runPython(name: string, args: readonly string[], input = ''): Promise<string> {
  return readOutput('python3', [name, ...args], input)
}

/** Starts a program of `test/clients/python`. */
export function startPython(name: string, args: readonly string[]): ChildProcess {
  return spawn('python3', [name, ...args], {
    cwd: FOLDER,
    env: PYTHON_ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
