/** A process of the row `sse`: it answers each order with one report. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export class Child<Order extends string | object, Report> {
  readonly #process: ChildProcess
  readonly #ended: Promise<never>

  /** @param file name of a file in this folder */
  constructor(file: string, args: readonly string[] = [], execArgv: string[] = []) {
    this.#process = fork(join(import.meta.dirname, file), args, { execArgv })
    this.#ended = once(this.#process, 'exit').then(() => {
      throw new Error(`${file} ended`)
    })
    this.#ended.catch(() => undefined)
  }

  async report(): Promise<Report> {
    const [report] = await Promise.race([once(this.#process, 'message'), this.#ended])
    return report as Report
  }

  send(order: Order): void {
    this.#process.send(order)
  }

  async ask(order: Order): Promise<Report> {
    const report = this.report()
    this.send(order)
    return report
  }

  kill(): void {
    this.#process.kill()
  }
}
