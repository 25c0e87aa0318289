/** Starts a service for the duration of the demo. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { DemoError } from './client.ts'

const MAIN = join(import.meta.dirname, '..', '..', 'runtime', 'embedded', 'main.ts')
const READY = /^sigcase ready on (\S+)/m
/** Reached only when the service hangs: when it ends, the wait ends too. */
const START_LIMIT_MS = 180_000
const END_LIMIT_MS = 15_000

export interface OwnService {
  baseUrl: string
  /** Stops the service and waits for its end; kills it after a time limit. */
  end(): Promise<void>
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const killer = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS)
  await exited
  clearTimeout(killer)
}

/** Waits for the line with the URL of the service. */
function readyAddress(child: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new DemoError(`the service ${why}\n${output}`.trim()))
    const limit = setTimeout(() => fail('did not start in time'), START_LIMIT_MS)
    const keep = (text: string) => {
      output += text
      const address = READY.exec(output)?.[1]
      if (address === undefined) return
      clearTimeout(limit)
      resolve(address)
    }
    child.stdout?.setEncoding('utf8').on('data', keep)
    child.stderr?.setEncoding('utf8').on('data', keep)
    child.once('close', () => {
      clearTimeout(limit)
      fail('ended before it was ready')
    })
  })
}

/**
 * Starts a service on a free port, with the data directory of the environment.
 *
 * @throws DemoError with the output of the service when it does not start
 */
export async function startOwnService(): Promise<OwnService> {
  const { BASE_URL: _, ...environment } = process.env
  const child = spawn(process.execPath, [MAIN], {
    env: { ...environment, PORT: '0', HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  try {
    return { baseUrl: await readyAddress(child), end: () => end(child) }
  } catch (error) {
    await end(child)
    throw error
  }
}
