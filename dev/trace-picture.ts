/** `npm run trace-picture`: draws the trace of a whole case, from a service of its own. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { request, upload, waitFor } from '../cli/demo/client.ts'
import { startOwnService } from '../cli/demo/own-service.ts'
import { tenantToken } from '../cli/tenant-token.ts'
import { TraceCollector } from '../test/fixtures/trace-collector.ts'
import { drawTrace } from './diagrams/draw-trace.ts'
import { makeContract } from './screenshots/contract.ts'

const FILE = join(import.meta.dirname, '../docs/diagrams/trace.svg')
const DESCRIPTION =
  'Spans of one case: the request that creates it, reconciles of the controller, the jobs of the ' +
  'workers with their calls of outside systems, and the webhook.'
const STEP_LIMIT_MS = 120_000
/** Longer than the delay of a batch of spans. */
const SETTLE_MS = 2_500
const CASES = 2
const DAY_MS = 24 * 60 * 60 * 1_000
const DRAWING = 'M0 20 C20 0 40 40 60 20 S100 0 120 20'
const CONSENT_VERSION = '2026-11'

interface CaseAnswer {
  id: string
  status: string
  participants: { id: string; signerUrl: string }[]
}

/** Listens on this machine until the command ends. @returns the base URL */
async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Brings a case with a webhook to DONE. */
async function runCase(baseUrl: string, token: string, hookUrl: string): Promise<void> {
  const field = { page: 1, x: 72, y: 560, width: 200, height: 60, unit: 'pt' }
  const person = { firstName: 'Jane', lastName: 'Doe', email: 'jane@example.com' }
  const body = {
    title: 'Contract for design work',
    validUntil: new Date(Date.now() + DAY_MS).toISOString(),
    participants: [{ ...person, signatureFields: [field] }],
    callback: { url: hookUrl, authType: 'NONE' },
  }
  const made = await request<{ case: CaseAnswer; upload: { url: string } }>(
    'creating the case',
    `${baseUrl}/cases`,
    { token, method: 'POST', body },
  )
  await upload(made.upload.url, await makeContract())
  const read = () =>
    request<CaseAnswer>('reading the case', `${baseUrl}/cases/${made.case.id}`, { token })
  const untilCase = (phase: string) =>
    waitFor(`the case to be ${phase}`, STEP_LIMIT_MS, read, ({ status }) => status === phase)
  const [participant] = (await untilCase('IN_PROGRESS')).participants
  if (!participant) throw new Error('the case has no participant')
  await request('signing', `${baseUrl}/participant/${participant.id}/signature`, {
    token: new URL(participant.signerUrl).hash.slice(1),
    method: 'POST',
    body: {
      encodedSignature: DRAWING,
      consent: { textVersion: CONSENT_VERSION, acceptedAt: new Date().toISOString() },
    },
  })
  await untilCase('DONE')
}

async function collectTrace(folder: string): Promise<TraceCollector> {
  const collector = new TraceCollector('')
  const endpoint = await listen((received, response) => {
    void text(received).then((body) => {
      collector.take(received.url, body)
      response.end('{}')
    })
  })
  const hookUrl = await listen((_received, response) => response.writeHead(204).end())
  Object.assign(process.env, {
    DATA_DIR: folder,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    EGRESS_ALLOW: '127.0.0.1/32',
  })
  const service = await startOwnService()
  try {
    // The first case of a process compiles code, which would make its spans long.
    for (let run = 0; run < CASES; run++) {
      await runCase(service.baseUrl, await tenantToken(folder, 'demo', new Date()), hookUrl)
      await wait(SETTLE_MS)
    }
  } finally {
    await service.end()
  }
  return collector
}

const folder = mkdtempSync(join(tmpdir(), 'sigcase-trace-'))
try {
  const collector = await collectTrace(folder)
  const create = collector.named('POST /cases').at(-1)
  const spans = collector.spans.filter(({ traceId }) => traceId === create?.traceId)
  writeFileSync(FILE, drawTrace(spans, DESCRIPTION))
  console.log(`docs/diagrams/trace.svg  ${spans.length} spans`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
