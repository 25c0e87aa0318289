/** Finds ports to listen on that nothing else takes before they are used. */
import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

const LOOPBACK = '127.0.0.1'
/** The range is below the ephemeral ports of outgoing connections (Linux: 32768 and up). */
const LOWEST_PORT = 20_000
const HIGHEST_PORT = 32_767
const MAXIMUM_TRIES = 1_000
/** Has a file for each port that a process of this machine took; its content is the process id. */
const TAKEN = join(tmpdir(), `sigcase-ports-${process.getuid?.() ?? 0}`)
const NO_PROCESS = 'ESRCH'

const takenHere = new Set<string>()

/**
 * Whether a server can listen on the port.
 *
 * @param host address or name of this machine; default: 127.0.0.1
 * @throws Error with the code of `listen(2)` for a reason other than a used port
 */
export async function isFree(port: number, host = LOOPBACK): Promise<boolean> {
  const server = createServer()
  const found = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    server.listen(port, host, () => resolve(true))
  })
  await new Promise((resolve) => server.close(resolve))
  return found
}

/**
 * Finds different free ports. No process of this machine finds one of them again while this process
 * lives: a port stays free for seconds until its server listens, and while that is started anew.
 *
 * @param host address or name of this machine; default: 127.0.0.1
 * @throws Error when hardly any is free, or for the host like {@link isFree}
 */
export async function freePorts(count: number, host = LOOPBACK): Promise<number[]> {
  const ports: number[] = []
  for (let tries = 0; tries < MAXIMUM_TRIES && ports.length < count; tries++) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT + 1)
    if (take(port) && (await isFree(port, host))) ports.push(port)
  }
  if (ports.length < count) throw new Error('there are hardly any free ports')
  return ports
}

/** @returns false when this process or another one that lives has taken the port */
function take(port: number): boolean {
  const file = join(TAKEN, String(port))
  if (takenHere.has(file)) return false
  if (takenHere.size === 0) process.once('exit', giveBack)
  try {
    mkdirSync(TAKEN, { recursive: true, mode: 0o700 })
    if (existsSync(file) && !isAlive(Number(readFileSync(file, 'utf8')))) rmSync(file)
    writeFileSync(file, String(process.pid), { flag: 'wx' })
  } catch (error) {
    // Without a folder for temporary files, chance alone keeps processes apart.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
  }
  takenHere.add(file)
  return true
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== NO_PROCESS
  }
}

function giveBack(): void {
  for (const file of takenHere) rmSync(file, { force: true })
}
