/** Says to a server what no HTTP client would say. */
import { connect } from 'node:net'

/** Octets to send; a number waits so many milliseconds. */
export type Said = string | Uint8Array | number

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Reached only when an answer that is expected does not come. */
const ANSWER_LIMIT_MS = 60_000

/**
 * Sends the parts in turn and hangs up after `limitMs`, if the server did not do so before.
 *
 * @param isAnswered whether the server answers in any case: `limitMs` then begins with the answer
 * @returns what was received, and who hung up
 */
export async function rawRequest(
  url: string,
  parts: Iterable<Said>,
  limitMs: number,
  isAnswered = false,
): Promise<{ received: string; hungUpBy: 'server' | 'client'; sentBytes: number }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const end = Promise.withResolvers<'server' | 'client'>()
  let received = ''
  let sentBytes = 0
  socket.setEncoding('latin1').on('data', (text) => {
    received += String(text)
    if (isAnswered) hangUpIn(limitMs)
  })
  socket.on('error', () => end.resolve('server')).on('close', () => end.resolve('server'))
  let timer: NodeJS.Timeout | undefined
  const hangUpIn = (delayMs: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => end.resolve('client'), delayMs)
  }
  hangUpIn(isAnswered ? ANSWER_LIMIT_MS : limitMs)
  const speak = async () => {
    for (const part of parts) {
      if (socket.destroyed) return
      if (typeof part === 'number') await pause(part)
      else await new Promise<unknown>((resolve) => socket.write(part, resolve))
      if (typeof part !== 'number') sentBytes += part.length
    }
  }
  void speak()
  const hungUpBy = await end.promise
  clearTimeout(timer)
  socket.destroy()
  return { received, hungUpBy, sentBytes }
}
