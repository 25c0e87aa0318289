/** The real service as a process of its own, to be started, ended and killed. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { freePorts } from '../../adapters/shared/free-ports.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** `npm test` bundles the service, which then starts in half of the CPU time (decision 297). */
const BUNDLES = process.env.BUNDLED_PROGRAMS
const MAIN = fileURLToPath(new URL('../../runtime/embedded/main.ts', import.meta.url))
const START: readonly [string, ...string[]] =
  BUNDLES === undefined
    ? [process.execPath, MAIN]
    : [process.execPath, '--enable-source-maps', join(BUNDLES, 'main.js')]
/** Reached only when the service hangs: when it ends, the wait ends too. */
const START_LIMIT_MS = 120_000
const READY = /^sigcase ready on (\S+)/m

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const [port] = (await freePorts(1)) as [number]
  return port
}

export interface ServiceProcess {
  child: ChildProcess
  /** Everything it has printed, standard error included. */
  output(): string
  /** Sends the signal and waits for the end. @returns exit code, or the signal that ended it */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | string | null>
}

/**
 * Starts the service without waiting for it to be ready.
 *
 * @param command what starts it, the program first
 */
export function spawnService(
  environment: Record<string, string>,
  [program, ...args]: readonly [string, ...string[]] = START,
): ServiceProcess {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (text: string) => {
    output += text
  }
  child.stdout?.setEncoding('utf8').on('data', keep)
  child.stderr?.setEncoding('utf8').on('data', keep)
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>
  return {
    child,
    output: () => output,
    async end(signal) {
      child.kill(signal)
      const [code, by] = await exited
      return code ?? by
    },
  }
}

/** Waits for the line that says so. @returns the address of the service */
export async function ready(service: ServiceProcess): Promise<string> {
  const deadline = Date.now() + START_LIMIT_MS
  for (;;) {
    const match = READY.exec(service.output())
    if (match) return match[1] as string
    if (service.child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`the service did not start:\n${service.output()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
