/** Row `http`: `POST /cases` with stores that answer at once, against a JSON echo of node:http. */
import type { ChildProcess } from 'node:child_process'
import { millisecondsPerAnswer, type Target } from '../http/load.ts'
import { startServer } from '../http/start-server.ts'
import { alternate } from '../measure.ts'
import type { RowReport } from '../report.ts'

const ROUND_MS = 700
const DAY_MS = 24 * 60 * 60 * 1000

const field = (y: number) => ({ page: 1, x: 72, y, width: 200, height: 60, unit: 'pt' })
const BODY = JSON.stringify({
  title: 'Zmluva o dielo 2026/118',
  validUntil: new Date(Date.now() + DAY_MS).toISOString(),
  sender: { name: 'ACME, a. s.', replyTo: 'zmluvy@example.com' },
  participants: [
    {
      firstName: 'Ľuboš',
      lastName: 'Šťastný',
      email: 'lubos@example.com',
      language: 'sk',
      signatureFields: [field(500)],
    },
    {
      firstName: 'Janka',
      lastName: 'Žltá',
      email: 'janka@example.com',
      language: 'sk',
      signatureFields: [field(600)],
    },
  ],
})

/** One request by hand: what is timed has to be a case that was created. */
async function fault({ port, path, token, body }: Target): Promise<string | undefined> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  })
  const created = (await answer.json()) as { case?: { status?: string }; upload?: object }
  if (answer.status === 200 && created.case?.status === 'NEW' && created.upload) return undefined
  return `POST ${path} answered ${answer.status} ${JSON.stringify(created)}`
}

async function compare(children: ChildProcess[]): Promise<RowReport> {
  const [echoPort = ''] = await startServer('echo-server.ts', children)
  const [apiPort = '', token = ''] = await startServer('api-server.ts', children)
  const target = { token, body: BODY }
  const echoTarget = { ...target, port: Number(echoPort), path: '/' }
  const apiTarget = { ...target, port: Number(apiPort), path: '/cases' }
  const invalid = await fault(apiTarget)
  if (invalid !== undefined) return { measured: 'nothing', figures: [], void: invalid }
  const times = await alternate({
    floor: () => millisecondsPerAnswer(echoTarget, ROUND_MS),
    api: () => millisecondsPerAnswer(apiTarget, ROUND_MS),
  })
  const perSecond = (milliseconds: number) => Math.round(1000 / milliseconds)
  return {
    measured: `${perSecond(times.api)} cases/s (echo ${perSecond(times.floor)}/s)`,
    figures: [
      {
        of: '× the rate of the echo',
        value: times.floor / times.api,
        better: 'more',
        must: 0.5,
        aim: 0.65,
      },
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
