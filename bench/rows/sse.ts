/**
 * Row `sse`: ten thousand idle kiosks on one process, and cases that are handed over to them,
 * against node:http alone.
 */
import { setTimeout } from 'node:timers/promises'
import { alternate, quantile } from '../measure.ts'
import type { RowReport } from '../report.ts'
import { Child } from '../sse/child.ts'
import { KIOSKS } from '../sse/devices.ts'
import type { KiosksOrder, KiosksReport, ServerOrder, ServerReport } from '../sse/messages.ts'

/** Come and go before the baseline, so that code and pools are there. */
const WARM_UP_KIOSKS = 500
/** More than one round of heartbeats. */
const IDLE_MS = 20_000
const EVENTS_PER_ROUND = 200
const EVENT_INTERVAL_MS = 5
const KIBIBYTE = 1024

/** One server with its kiosks, and what is found out about it. */
class Side {
  perKioskBytes = Number.NaN
  connected = 0
  longestStallMs = Number.NaN
  lost = 0
  refused = 0
  readonly #latenciesMs: number[] = []
  readonly #server: Child<ServerOrder, ServerReport>
  readonly #kiosks: Child<KiosksOrder, KiosksReport>

  private constructor(
    server: Child<ServerOrder, ServerReport>,
    kiosks: Child<KiosksOrder, KiosksReport>,
  ) {
    this.#server = server
    this.#kiosks = kiosks
  }

  /** @param children keeps what was started */
  static async start(file: string, children: { kill(): void }[]): Promise<Side> {
    const server = new Child<ServerOrder, ServerReport>(file, [], ['--expose-gc'])
    children.push(server)
    const { ready } = await server.report()
    if (!ready) throw new Error(`${file} is not ready`)
    const { port, tenantToken, caseId, participantId } = ready
    const args = [String(port), tenantToken, caseId, participantId]
    const kiosks = new Child<KiosksOrder, KiosksReport>('kiosks.ts', args)
    children.push(kiosks)
    return new Side(server, kiosks)
  }

  async connect(): Promise<void> {
    await this.#kiosks.ask({ connect: { from: 0, to: WARM_UP_KIOSKS } })
    await this.#kiosks.ask({ disconnect: true })
    const { rssBytes: before = Number.NaN } = await this.#server.ask('memory')
    const { connected = 0 } = await this.#kiosks.ask({ connect: { from: 0, to: KIOSKS } })
    const { rssBytes: after = Number.NaN } = await this.#server.ask('memory')
    this.connected = connected
    this.perKioskBytes = (after - before) / KIOSKS
  }

  async idle(): Promise<void> {
    this.#server.tell('watch')
    await setTimeout(IDLE_MS)
    const { longestStallMs = Number.NaN } = await this.#server.ask('stalls')
    this.longestStallMs = longestStallMs
  }

  /** @returns the median of a round, in milliseconds */
  async open(): Promise<number> {
    const order = { open: { count: EVENTS_PER_ROUND, everyMs: EVENT_INTERVAL_MS } }
    const { opened } = await this.#kiosks.ask(order)
    this.lost += opened?.lost ?? EVENTS_PER_ROUND
    this.refused += opened?.refused ?? 0
    this.#latenciesMs.push(...(opened?.latenciesMs ?? []))
    return quantile(opened?.latenciesMs ?? [], 0.5)
  }

  /** Of all rounds. */
  get p99Ms(): number {
    return quantile(this.#latenciesMs, 0.99)
  }
}

/** What the floor needed, told beside. */
function told({ perKioskBytes, p99Ms, longestStallMs }: Side, p50Ms: number): string {
  const figures = [
    `${(perKioskBytes / KIBIBYTE).toFixed(1)} KB each`,
    `p50 ${p50Ms.toFixed(2)} ms`,
    `p99 ${p99Ms.toFixed(1)} ms`,
    `stall ${longestStallMs.toFixed(1)} ms`,
  ]
  return figures.join(', ')
}

function reportOf(api: Side, floor: Side, p50Ms: { api: number; floor: number }): RowReport {
  const inMs = { better: 'less', must: 5, aim: 2, informative: true } as const
  return {
    measured: `${api.connected} kiosks (node:http alone: ${told(floor, p50Ms.floor)})`,
    figures: [
      {
        of: 'KB per kiosk',
        value: api.perKioskBytes / KIBIBYTE,
        better: 'less',
        must: 24,
        aim: 16,
      },
      { of: 'events lost', value: api.lost, better: 'less', must: 0 },
      { of: '× the p50 of node:http', value: p50Ms.api / p50Ms.floor, better: 'less', must: 3 },
      { of: 'ms to the kiosk, p99', value: api.p99Ms, ...inMs },
      { of: 'ms longest stall', value: api.longestStallMs, ...inMs },
    ],
    ...(api.connected === KIOSKS && floor.connected === KIOSKS && api.refused === 0
      ? {}
      : { void: `${api.connected} connected, ${api.refused} opens refused` }),
  }
}

export async function sse(): Promise<RowReport> {
  const children: { kill(): void }[] = []
  try {
    const floor = await Side.start('floor-server.ts', children)
    const api = await Side.start('server.ts', children)
    await floor.connect()
    await api.connect()
    await Promise.all([floor.idle(), api.idle()])
    const p50Ms = await alternate({ floor: () => floor.open(), api: () => api.open() })
    return reportOf(api, floor, p50Ms)
  } finally {
    for (const child of children) child.kill()
  }
}
