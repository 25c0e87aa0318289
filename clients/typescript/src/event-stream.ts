/** Parses a stream of server-sent events (HTML, 9.2). */

/** An event of the service has half a KB. */
const MAXIMUM_PENDING_CHARACTERS = 64 * 1024

export interface ServerSentEvent {
  type: string
  data: string
  /** Last id that the stream named. */
  id: string
}

/** Takes pieces of text and gives whole events. */
export class EventStreamParser {
  #pending = ''
  #type = ''
  #data: string[] = []
  #id = ''
  /** Delay before the next connection, when the stream named one. */
  retryMs: number | undefined

  #readLine(line: string): ServerSentEvent | undefined {
    if (line === '') {
      const event = { type: this.#type || 'message', data: this.#data.join('\n'), id: this.#id }
      const isEvent = this.#data.length > 0
      this.#type = ''
      this.#data = []
      return isEvent ? event : undefined
    }
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? []
    if (name === 'event') this.#type = value
    else if (name === 'data') this.#data.push(value)
    else if (name === 'id' && !value.includes('\0')) this.#id = value
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) this.retryMs = Number(value)
    return undefined
  }

  /**
   * Reads a piece of the stream.
   *
   * @returns the events that it completes
   * @throws RangeError for a line that no event has
   */
  push(text: string): ServerSentEvent[] {
    const lines = (this.#pending + text).split(/\r\n|\n|\r(?!$)/)
    this.#pending = lines.pop() ?? ''
    if (this.#pending.length > MAXIMUM_PENDING_CHARACTERS) throw new RangeError('endless line')
    return lines.flatMap((line) => this.#readLine(line) ?? [])
  }
}
