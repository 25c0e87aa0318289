/** Starts servers of the benchmarks in separate processes. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'

/**
 * Starts a file of this folder with arguments and adds it to `children`.
 *
 * @returns the words that it printed
 */
export async function startServer(
  file: string,
  children: ChildProcess[],
  words: readonly string[] = [],
): Promise<string[]> {
  const path = join(import.meta.dirname, file)
  const child = spawn(process.execPath, [path, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const printed = once(child.stdout, 'data') as Promise<[Buffer]>
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended`)))
  ended.catch(() => undefined)
  const [line] = await Promise.race([printed, ended])
  return line.toString().trim().split(' ')
}
