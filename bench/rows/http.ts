/**
 * Row `http`: creating and reading a case with stores that answer at once, compared with a server
 * of node:http that parses the same JSON and sends the same responses.
 */
import type { ChildProcess } from 'node:child_process'
import { CASE_INPUT } from '../case-input.ts'
import { millisecondsPerAnswer, type Target } from '../http/load.ts'
import { startServer } from '../http/start-server.ts'
import { alternate } from '../measure.ts'
import type { RowReport } from '../report.ts'

const ROUND_MS = 700
/** Warm-up of each server and route, because long-running processes have compiled their code. */
const WARM_UP_MS = 4_000

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
  for (const target of targets) await millisecondsPerAnswer(target, WARM_UP_MS)
  const times = await alternate({
    createFloor: () => millisecondsPerAnswer({ ...create, ...echo }, ROUND_MS),
    create: () => millisecondsPerAnswer(create, ROUND_MS),
    readFloor: () => millisecondsPerAnswer({ ...read, ...echo }, ROUND_MS),
    read: () => millisecondsPerAnswer(read, ROUND_MS),
  })
  const perSecond = (milliseconds: number) => Math.round(1000 / milliseconds)
  const bounds = { better: 'more', must: 0.5, aim: 0.65 } as const
  return {
    measured: `${perSecond(times.create)} cases/s created, ${perSecond(times.read)}/s read`,
    figures: [
      { of: '× the floor at creating', value: times.createFloor / times.create, ...bounds },
      { of: '× the floor at reading', value: times.readFloor / times.read, ...bounds },
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
