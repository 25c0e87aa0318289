/**
 * Counts the commands that clients send to Redis. The counter of Redis itself
 * (`total_commands_processed`) also includes the commands that scripts run.
 */
import { connect } from 'node:net'

/** `1795849562.575 [0 127.0.0.1:4711] "PING"`; for a command of a script, the source is `lua`. */
const SENT = /^\+?\d+\.\d+ \[\d+ (?!lua\])/

/** Observes a server with `MONITOR`, which slows it down a little, until it is stopped. */
export class RedisRequests {
  count = 0
  readonly #socket

  /** @param url `redis://host:port` */
  constructor(url: string) {
    const { hostname, port } = new URL(url)
    this.#socket = connect(Number(port), hostname)
    let rest = ''
    this.#socket.setEncoding('latin1').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (SENT.test(line)) this.count++
    })
    // The cluster may end first.
    this.#socket.on('error', () => undefined)
    this.#socket.write('MONITOR\r\n')
  }

  stop(): void {
    this.#socket.destroy()
  }
}
