/** One process of the local cluster: started with its environment, ended by its id. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { WITH_PARENT } from '../control-plane/processes.ts'

const END_LIMIT_MS = 30_000
const READY_LIMIT_MS = 180_000
const RESTART_DELAY_MS = 1_000
const POLL_MS = 50
const LOG_TAIL_CHARACTERS = 4_000

export interface ChildOptions {
  name: string
  command: readonly string[]
  environment: Readonly<Record<string, string>>
  /** Standard output and error are appended to it. */
  log: string
  /** Answers 200 once the process works; without it, it works at once. */
  readyUrl?: string
}

/** Where Node keeps compiled sources; `npm test` sets it, so that processes start sooner. */
function compileCache(): Readonly<Record<string, string>> {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
}

/** Ends with the process that started it, and can be started again. */
export class Child {
  readonly options: ChildOptions
  #child: ChildProcess | undefined
  #isWanted = false
  #onEnd: ((how: string) => void) | undefined

  constructor(options: ChildOptions) {
    this.options = options
  }

  /** Undefined while it does not run. */
  get pid(): number | undefined {
    return this.isRunning ? this.#child?.pid : undefined
  }

  /** Whether it was started and has not ended, by itself or by a signal. */
  get isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null
  }

  /** What it wrote so far. */
  output(): string {
    return readFileSync(this.options.log, 'utf8')
  }

  /** @param more further variables, until its end */
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

  /** From now on it is started again when it ends unasked, as a cluster would. */
  onEnd(tell: (how: string) => void): void {
    this.#onEnd = tell
  }

  #revive(how: string): void {
    if (!this.#isWanted || !this.#onEnd) return
    this.#onEnd(how)
    setTimeout(() => {
      if (this.#isWanted) this.start()
    }, RESTART_DELAY_MS)
  }

  /** @throws Error with the end of its log when it ended or is not ready in time */
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

  /** To one that does not run, nothing is sent. */
  signal(signal: NodeJS.Signals): void {
    if (this.pid !== undefined) process.kill(this.pid, signal)
  }

  /** Sends the signal and waits for the end. @returns exit code, or the signal that ended it */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | string | null> {
    this.#isWanted = false
    const child = this.#child
    if (!child || !this.isRunning) return child?.exitCode ?? child?.signalCode ?? null
    const exited = once(child, 'exit') as Promise<[number | null, string | null]>
    // One that was stopped hears nothing else.
    this.signal('SIGCONT')
    this.signal(signal)
    const killer = setTimeout(() => this.signal('SIGKILL'), END_LIMIT_MS)
    const [code, by] = await exited
    clearTimeout(killer)
    return code ?? by
  }
}
