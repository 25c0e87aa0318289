/** Gives a program its standard input. */
import type { ChildProcess } from 'node:child_process'

/**
 * Writes the input and ends it. A program that ends without reading it breaks the pipe (EPIPE),
 * even when nothing is written; its exit code says whether it failed.
 */
export function sendInput({ stdin }: Pick<ChildProcess, 'stdin'>, input = ''): void {
  stdin?.on('error', () => undefined)
  stdin?.end(input)
}
