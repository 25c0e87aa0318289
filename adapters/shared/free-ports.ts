/** Finds ports to listen on that nothing else takes before they are used. */
import { randomInt } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'

const LOOPBACK = '127.0.0.1'
/** The range is below the ephemeral ports of outgoing connections (Linux: 32768 and up). */
const LOWEST_PORT = 20_000
const HIGHEST_PORT = 32_767
const MAXIMUM_TRIES = 1_000
/** Has a database of the ports that processes of this machine took, with their process ids. */
const FOLDER = join(tmpdir(), `sigcase-ports-${process.getuid?.() ?? 0}`)
const BUSY_TIMEOUT_MS = 5_000
const NO_PROCESS = 'ESRCH'

const takenHere = new Set<number>()

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
  if (takenHere.has(port)) return false
  // Without a folder for temporary files, chance alone keeps processes apart.
  const isTaken = withClaims((claims) => !claim(claims, port)) ?? false
  if (isTaken) return false
  if (takenHere.size === 0) process.once('exit', giveBack)
  takenHere.add(port)
  return true
}

/**
 * Works with the list of taken ports while no other process does.
 *
 * @returns undefined when it cannot be used
 */
function withClaims<T>(work: (claims: DatabaseSync) => T): T | undefined {
  let claims: DatabaseSync | undefined
  try {
    mkdirSync(FOLDER, { recursive: true, mode: 0o700 })
    claims = new DatabaseSync(join(FOLDER, 'ports.sqlite'), { timeout: BUSY_TIMEOUT_MS })
    claims.exec('PRAGMA synchronous = OFF')
    claims.exec('BEGIN EXCLUSIVE')
    claims.exec('CREATE TABLE IF NOT EXISTS taken (port INTEGER PRIMARY KEY, pid INTEGER NOT NULL)')
    const result = work(claims)
    claims.exec('COMMIT')
    return result
  } catch {
    return undefined
  } finally {
    claims?.close()
  }
}

/** @returns false when a process that lives has the port */
function claim(claims: DatabaseSync, port: number): boolean {
  const row = claims.prepare('SELECT pid FROM taken WHERE port = ?').get(port)
  if (row && isAlive(Number(row.pid))) return false
  claims.prepare('INSERT OR REPLACE INTO taken VALUES (?, ?)').run(port, process.pid)
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
  withClaims((claims) => claims.prepare('DELETE FROM taken WHERE pid = ?').run(process.pid))
}
