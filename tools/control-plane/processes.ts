/** Processes of a control plane: started with a log, awaited, ended by their ids. */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

export const LOOPBACK = '127.0.0.1'
const READY_LIMIT_MS = 60_000
const READY_POLL_MS = 100
/** An API server drains its watches before it ends. */
const END_LIMIT_MS = 5_000
const LOG_TAIL_CHARACTERS = 2_000

export interface Started {
  name: string
  child: ChildProcess
  log: string
}

/** Below those that a machine gives to whoever connects somewhere (Linux: 32768 and up). */
const LOWEST_PORT = 20_000
const HIGHEST_PORT = 32_767
const MAXIMUM_TRIES = 1_000

/** Whether somebody can listen there. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const found = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, LOOPBACK, () => resolve(true))
  })
  await new Promise((resolve) => server.close(resolve))
  return found
}

/**
 * Ports that were free a moment ago, all different. Which they are is chance, so that nobody else
 * comes to have them before they are used.
 *
 * @throws Error when hardly any is free
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  for (let tries = 0; tries < MAXIMUM_TRIES && ports.size < count; tries++) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT + 1)
    if (!ports.has(port) && (await isFree(port))) ports.add(port)
  }
  if (ports.size < count) throw new Error('there are hardly any free ports')
  return [...ports]
}

/** Ends a process when the one that started it is gone, however that came. */
const SETPRIV = '/usr/bin/setpriv'
export const WITH_PARENT = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL'] : []

/** A process with its log in a file of the folder. */
export function start(
  folder: string,
  name: string,
  program: string,
  args: readonly string[],
): Started {
  const log = join(folder, `${name}.log`)
  const file = openSync(log, 'w')
  const [command = program, ...rest] = [...WITH_PARENT, program, ...args]
  const child = spawn(command, rest, { stdio: ['ignore', file, file] })
  // Deno ends a test file when nothing is waited for, and only then is this one ended.
  child.unref()
  closeSync(file)
  return { name, child, log }
}

/** An etcd that may lose what it holds when the machine stops. */
export async function startEtcd(folder: string, program: string) {
  const [port, peerPort] = (await freePorts(2)) as [number, number]
  const url = `http://${LOOPBACK}:${port}`
  const peerUrl = `http://${LOOPBACK}:${peerPort}`
  const started = start(folder, 'etcd', program, [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    '--unsafe-no-fsync',
  ])
  return { ...started, url }
}

/** SIGTERM, and SIGKILL when that does not end it in time; nothing to one that has ended. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.ref()
  // Not by `child.kill`, which on Deno sends one signal alone.
  const send = (signal: NodeJS.Signals) => process.kill(child.pid as number, signal)
  // One that a test stopped hears nothing else.
  send('SIGCONT')
  send('SIGTERM')
  const timer = setTimeout(() => send('SIGKILL'), END_LIMIT_MS)
  await ended
  clearTimeout(timer)
}

/** @returns the status, or undefined when nothing listens yet */
function statusOf(url: string, ca: string, token: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` }
    const sent = request(`${url}/readyz`, { ca, headers, agent: false, timeout: READY_LIMIT_MS })
    sent.on('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', () => resolve(undefined))
    sent.end()
  })
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Waits until the API server can be used. @throws Error with the end of the log of what ended */
export async function waitUntilReady(url: string, caPath: string, token: string, all: Started[]) {
  const deadlineMs = performance.now() + READY_LIMIT_MS
  while (performance.now() < deadlineMs) {
    for (const { name, child, log } of all) {
      if (child.exitCode === null) continue
      const tail = readIfThere(log).slice(-LOG_TAIL_CHARACTERS)
      throw new Error(`${name} ended with ${child.exitCode}: ${tail}`)
    }
    const ca = readIfThere(caPath)
    if (ca !== '' && (await statusOf(url, ca, token)) === 200) return
    await sleep(READY_POLL_MS)
  }
  throw new Error(`the API server was not ready within ${READY_LIMIT_MS / 1000} s`)
}
