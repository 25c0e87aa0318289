/** Starts and stops one process of the local cluster. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { WITH_PARENT } from '../control-plane/processes.ts'

const END_LIMIT_MS = 30_000
const READY_LIMIT_MS = 180_000
const RESTART_DELAY_MS = 1_000
/** Each poll costs 0.3 ms of CPU time, and several processes start for ten seconds or more. */
const POLL_MS = 200
const LOG_TAIL_CHARACTERS = 4_000

export interface ChildOptions {
  name: string
  command: readonly string[]
  environment: Readonly<Record<string, string>>
  /** Standard output and error are appended to it. */
  log: string
  /** URL that answers 200 when the process is ready; absent: it is ready at once. */
  readyUrl?: string
}

/** Cache of compiled sources; `npm test` sets it, so that processes start faster. */
export function compileCache(): Readonly<Record<string, string>> {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
}

/** A child process that ends with its parent and can be restarted. */
export class Child {
  readonly options: ChildOptions
  #child: ChildProcess | undefined
  #isWanted = false
  #onEnd: ((how: string) => void) | undefined

  constructor(options: ChildOptions) {
    this.options = options
  }

  /** Undefined while the process is not running. */
  get pid(): number | undefined {
    return this.isRunning ? this.#child?.pid : undefined
  }

  /** Whether the process is running. */
  get isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null
  }

  /** Returns the output so far. */
  output(): string {
    return readFileSync(this.options.log, 'utf8')
  }

  /** Starts the process. @param more additional variables for this start */
  start(more: Readonly<Record<string, string>> = {}): void {
    const { command, environment, log } = this.options
    const file = openSync(log, 'a', 0o600)
    const [program = '', ...args] = [...WITH_PARENT, ...command]
    this.#child = spawn(program, args, {
      env: { ...compileCache(), ...environment, ...more },
      stdio: ['ignore', file, file],
    })
    closeSync(file)
    this.#isWanted = true
    this.#child.once('exit', (code, signal) => this.#revive(String(signal ?? code)))
  }

  /** Restarts the process from now on when it ends by itself, as a cluster does. */
  onEnd(listener: (how: string) => void): void {
    this.#onEnd = listener
  }

  #revive(how: string): void {
    if (!this.#isWanted || !this.#onEnd) return
    this.#onEnd(how)
    setTimeout(() => {
      if (this.#isWanted) this.start()
    }, RESTART_DELAY_MS)
  }

  /** @throws Error with the end of the log when the process ended or is not ready in time */
  async ready(): Promise<void> {
    const { name, readyUrl } = this.options
    if (readyUrl === undefined) return
    const deadlineMs = performance.now() + READY_LIMIT_MS
    while (performance.now() < deadlineMs && this.isRunning) {
      const answer = await fetch(readyUrl).catch(() => undefined)
      await answer?.body?.cancel()
      if (answer?.ok) return
      await sleep(POLL_MS)
    }
    throw new Error(`${name} did not start:\n${this.output().slice(-LOG_TAIL_CHARACTERS)}`)
  }

  /** Sends the signal if the process is running. */
  signal(signal: NodeJS.Signals): void {
    if (this.pid !== undefined) process.kill(this.pid, signal)
  }

  /** Sends the signal and waits for the end. @returns exit code, or the signal that ended it */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | string | null> {
    this.#isWanted = false
    const child = this.#child
    if (!child || !this.isRunning) return child?.exitCode ?? child?.signalCode ?? null
    const exited = once(child, 'exit') as Promise<[number | null, string | null]>
    // A stopped process (SIGSTOP) handles only SIGCONT and SIGKILL.
    this.signal('SIGCONT')
    this.signal(signal)
    const killer = setTimeout(() => this.signal('SIGKILL'), END_LIMIT_MS)
    const [code, by] = await exited
    clearTimeout(killer)
    return code ?? by
  }
}
