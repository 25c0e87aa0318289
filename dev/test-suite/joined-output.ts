/**
 * Writes what a process prints in one turn of the event loop at once. A write for each of some
 * thousand assertions, and a read of the runner for each, take several percent of the CPU time.
 */
import process from 'node:process'

type Write = typeof process.stdout.write

/**
 * Joins what is written to the standard output from now on.
 *
 * @returns writes at once what is left, for example before code that may not return
 */
export function joinOutput(stream: Pick<typeof process.stdout, 'write'> = process.stdout) {
  const write = stream.write.bind(stream) as Write
  let text = ''
  let isEnding = false
  const flush = () => {
    if (text === '') return
    const all = text
    text = ''
    write(all)
  }
  const join = (chunk: string | Uint8Array, ...rest: []) => {
    if (typeof chunk !== 'string' || rest.length > 0 || isEnding) {
      flush()
      return write(chunk, ...rest)
    }
    if (text === '') setImmediate(flush)
    text += chunk
    return true
  }
  stream.write = join as Write
  process.on('exit', () => {
    isEnding = true
    flush()
  })
  return flush
}
