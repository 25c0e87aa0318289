/**
 * Row `http`: creating and reading a case with stores that answer at once, compared with a server
 * of node:http that parses the same JSON and sends the same responses. It compares the CPU time of
 * the servers, which the client and other programs change little.
 */
import type { ChildProcess } from 'node:child_process'
import { CASE_INPUT } from '../case-input.ts'
import { countAnswers, type Target } from '../http/load.ts'
import { startServer } from '../http/start-server.ts'
import { alternate } from '../measure.ts'
import { threadCpuMs } from '../process-cpu.ts'
import type { RowReport } from '../report.ts'

const ROUND_MS = 700
/** Warm-up of each server and route, because long-running processes have compiled their code. */
const WARM_UP_MS = 4_000
/** Decision 258 says what keeps the aims from being met. */
const CREATING = { must: 0.15, aim: 0.4 }
const READING = { must: 0.2, aim: 0.5 }

/** Sends one request and checks that the timed route creates and returns a case. */
async function readAnswer({ port, method, path, token, body }: Target): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(method === 'POST' ? { body } : {}),
  })
  const text = await answer.text()
  if (answer.status === 200 && text.includes('"status":"NEW"')) return text
  throw new Error(`${method} ${path} answered ${answer.status} ${text}`)
}

/** Loads a server. @returns milliseconds of its CPU time for each answer */
async function cpuOfAnswer(target: Target, server: ChildProcess | undefined): Promise<number> {
  const pid = server?.pid ?? 0
  const before = threadCpuMs(pid)
  const answers = await countAnswers(target, ROUND_MS)
  return (threadCpuMs(pid) - before) / answers
}

async function compare(children: ChildProcess[]): Promise<RowReport> {
  const [apiPort = '', token = ''] = await startServer('api-server.ts', children)
  const create: Target = {
    port: Number(apiPort),
    method: 'POST',
    path: '/cases',
    token,
    body: CASE_INPUT,
  }
  const created = await readAnswer(create)
  const { id } = (JSON.parse(created) as { case: { id: string } }).case
  const read: Target = { ...create, method: 'GET', path: `/cases/${id}`, body: '' }
  const answers = [created, await readAnswer(read)]
  const [echoPort = ''] = await startServer('echo-server.ts', children, answers)
  const echo = { port: Number(echoPort) }
  const targets = [{ ...create, ...echo }, create, { ...read, ...echo }, read]
  for (const target of targets) await countAnswers(target, WARM_UP_MS)
  const [api, floor] = children
  const times = await alternate({
    createFloor: () => cpuOfAnswer({ ...create, ...echo }, floor),
    create: () => cpuOfAnswer(create, api),
    readFloor: () => cpuOfAnswer({ ...read, ...echo }, floor),
    read: () => cpuOfAnswer(read, api),
  })
  const figure = (of: string, value: number, bounds: { must: number; aim: number }) =>
    ({ of, value, better: 'more', ...bounds }) as const
  return {
    measured:
      `${times.create.toFixed(2)} ms of CPU to create a case, ` +
      `${times.read.toFixed(2)} ms to read one`,
    figures: [
      figure('× the floor at creating', times.createFloor / times.create, CREATING),
      figure('× the floor at reading', times.readFloor / times.read, READING),
    ],
  }
}

export async function http(): Promise<RowReport> {
  const children: ChildProcess[] = []
  try {
    return await compare(children)
  } finally {
    for (const child of children) child.kill()
  }
}
