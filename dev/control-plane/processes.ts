/** Starts, awaits and stops the processes of a control plane. */
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
/** Time limit for the end of an API server, which drains its watches first. */
const END_LIMIT_MS = 5_000
const LOG_TAIL_CHARACTERS = 2_000

export interface Started {
  name: string
  child: ChildProcess
  log: string
}

/** The range is below the ephemeral ports (Linux: 32768 and up). */
const LOWEST_PORT = 20_000
const HIGHEST_PORT = 32_767
const MAXIMUM_TRIES = 1_000

/** Whether the port is free. */
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
 * Finds different free ports. They are random, so that other processes are unlikely to take them
 * before their use.
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

/** `setpriv` kills a process when its parent has ended for any reason. */
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
  // Deno ends a test file when nothing is pending, and this process ends after that.
  child.unref()
  closeSync(file)
  return { name, child, log }
}

/** Starts an etcd without durable writes. */
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

/** Stops a running process with SIGTERM, then with SIGKILL after a time limit. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.ref()
  // Does not use `child.kill`, because on Deno it sends only one signal.
  const send = (signal: NodeJS.Signals) => process.kill(child.pid as number, signal)
  // A process that a test stopped (SIGSTOP) handles only SIGKILL and SIGCONT.
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

/** Waits until the API server is ready. @throws Error with the log of a process that ended */
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
