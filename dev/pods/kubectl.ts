/** Runs kubectl and helm against a cluster. */
import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import { sendInput } from '../program-input.ts'

/** Longer than the longest `--timeout` of a command. */
const COMMAND_LIMIT_MS = 12 * 60 * 1000
const MAXIMUM_OUTPUT_BYTES = 64 * 1024 * 1024

const run = promisify(execFile)

/** One cluster, by the programs that operators use. */
export class Kubectl {
  readonly #program: string
  readonly #environment: NodeJS.ProcessEnv

  /**
   * @param kubeconfig path
   * @param program kubectl; the one on PATH when absent
   */
  constructor(kubeconfig: string, program = 'kubectl') {
    this.#program = program
    this.#environment = { ...process.env, KUBECONFIG: kubeconfig }
  }

  async #execute(program: string, args: readonly string[]): Promise<string> {
    const { stdout } = await run(program, [...args], {
      env: this.#environment,
      timeout: COMMAND_LIMIT_MS,
      maxBuffer: MAXIMUM_OUTPUT_BYTES,
    })
    return stdout
  }

  /** @returns standard output @throws Error with standard error when it fails */
  run(...args: string[]): Promise<string> {
    return this.#execute(this.#program, args)
  }

  /** Runs helm. @returns standard output @throws Error with standard error when it fails */
  helm(...args: string[]): Promise<string> {
    return this.#execute('helm', args)
  }

  /** Runs kubectl with an object as standard input. @returns standard output */
  async pipe(object: object, ...args: string[]): Promise<string> {
    const running = run(this.#program, args, { env: this.#environment, timeout: COMMAND_LIMIT_MS })
    sendInput(running.child, JSON.stringify(object))
    return (await running).stdout
  }

  /** Creates or updates objects. */
  async apply(...objects: readonly object[]): Promise<void> {
    await this.pipe({ apiVersion: 'v1', kind: 'List', items: objects }, 'apply', '--filename', '-')
  }

  /** Reads an object or a list. */
  async get<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.run('get', ...args, '--output=json')) as T
  }
}
