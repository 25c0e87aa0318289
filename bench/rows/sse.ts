/**
 * Row `sse`: 10,000 idle kiosks on one process, and hand-overs of cases to them, with stores that
 * answer at once, compared with only node:http. It also runs on a cluster, where notifications go
 * through Redis and records through the API server.
 */
import { setTimeout } from 'node:timers/promises'
import type { LocalCluster } from '../../dev/local-cluster/local.ts'
import { besideCluster } from '../row-cluster/start.ts'
import { alternate, quantile } from '../measure.ts'
import type { Figure, RowReport } from '../report.ts'
import { Child } from '../sse/child.ts'
import { KIOSKS } from '../sse/devices.ts'
import type { KiosksOrder, KiosksReport, ServerOrder, ServerReport } from '../sse/messages.ts'
import { prepareKiosks } from '../sse/kiosks-on-cluster.ts'

/** Kiosks that connect and disconnect before the baseline, to warm up code and pools. */
const WARM_UP_KIOSKS = 500
/** Longer than one heartbeat interval. */
const IDLE_MS = 20_000
const EVENTS_PER_ROUND = 200
const EVENT_INTERVAL_MS = 5
/** Each event needs five requests to the API server, which answers about 1,000 per second. */
const CLUSTER_EVENT_INTERVAL_MS = 25
const KIBIBYTE = 1024

/** Measures one server with its kiosks. */
class Side {
  perKioskBytes = Number.NaN
  connected = 0
  longestStallMs = Number.NaN
  lost = 0
  refused = 0
  readonly #eventIntervalMs: number
  readonly #latenciesMs: number[] = []
  readonly #server: Child<ServerOrder, ServerReport>
  readonly #kiosks: Child<KiosksOrder, KiosksReport>

  private constructor(
    server: Child<ServerOrder, ServerReport>,
    kiosks: Child<KiosksOrder, KiosksReport>,
    eventIntervalMs: number,
  ) {
    this.#eventIntervalMs = eventIntervalMs
    this.#server = server
    this.#kiosks = kiosks
  }

  /**
   * @param children receives the started processes
   * @param options arguments of the file, and how often an event comes
   */
  static async start(
    file: string,
    children: { kill(): void }[],
    { args = [], intervalMs = EVENT_INTERVAL_MS }: { args?: string[]; intervalMs?: number } = {},
  ): Promise<Side> {
    const server = new Child<ServerOrder, ServerReport>(file, args, ['--expose-gc'])
    children.push(server)
    const { ready } = await server.report()
    if (!ready) throw new Error(`${file} is not ready`)
    const { port, tenantToken, caseId, participantId } = ready
    const target = [String(port), tenantToken, caseId, participantId]
    const kiosks = new Child<KiosksOrder, KiosksReport>('kiosks.ts', target)
    children.push(kiosks)
    return new Side(server, kiosks, intervalMs)
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
    this.#server.send('watch')
    await setTimeout(IDLE_MS)
    const { longestStallMs = Number.NaN } = await this.#server.ask('stalls')
    this.longestStallMs = longestStallMs
  }

  /** @returns the median of a round, in milliseconds */
  async open(): Promise<number> {
    const order = { open: { count: EVENTS_PER_ROUND, everyMs: this.#eventIntervalMs } }
    const { opened } = await this.#kiosks.ask(order)
    this.lost += opened?.lost ?? EVENTS_PER_ROUND
    this.refused += opened?.refused ?? 0
    this.#latenciesMs.push(...(opened?.latenciesMs ?? []))
    return quantile(opened?.latenciesMs ?? [], 0.5)
  }

  /** Values of all rounds. */
  get p99Ms(): number {
    return quantile(this.#latenciesMs, 0.99)
  }
}

/** Informative values of the floor. */
function describeSide({ perKioskBytes, p99Ms, longestStallMs }: Side, p50Ms: number): string {
  const figures = [
    `${(perKioskBytes / KIBIBYTE).toFixed(1)} KB each`,
    `p50 ${p50Ms.toFixed(2)} ms`,
    `p99 ${p99Ms.toFixed(1)} ms`,
    `stall ${longestStallMs.toFixed(1)} ms`,
  ]
  return figures.join(', ')
}

/** @param where suffix of each figure's name */
function figuresOf(side: Side, where = ''): Figure[] {
  const inMs = { better: 'less', must: 5, aim: 2, informative: true } as const
  const kibibytes = side.perKioskBytes / KIBIBYTE
  return [
    { of: `KB per kiosk${where}`, value: kibibytes, better: 'less', must: 24, aim: 16 },
    { of: `events lost${where}`, value: side.lost, better: 'less', must: 0 },
    { of: `ms to the kiosk, p99${where}`, value: side.p99Ms, ...inMs },
    { of: `ms longest stall${where}`, value: side.longestStallMs, ...inMs },
  ]
}

function whyVoid(sides: readonly Side[]): { void?: string } {
  const bad = sides.find(({ connected, refused }) => connected !== KIOSKS || refused > 0)
  return bad ? { void: `${bad.connected} connected, ${bad.refused} opens refused` } : {}
}

async function compare(cluster: LocalCluster | undefined, why: string): Promise<RowReport> {
  const children: { kill(): void }[] = []
  try {
    const floor = await Side.start('floor-server.ts', children)
    const api = await Side.start('server.ts', children)
    const args = cluster && (await prepareKiosks(cluster))
    const slower = { intervalMs: CLUSTER_EVENT_INTERVAL_MS }
    const onCluster = args && (await Side.start('cluster-server.ts', children, { args, ...slower }))
    const sides = [floor, api, ...(onCluster ? [onCluster] : [])]
    for (const side of sides) await side.connect()
    await Promise.all(sides.map((side) => side.idle()))
    const p50Ms = await alternate({
      floor: () => floor.open(),
      api: () => api.open(),
      onCluster: () => onCluster?.open() ?? Number.NaN,
    })
    const slowdown = p50Ms.api / p50Ms.floor
    return {
      measured: `${api.connected} kiosks (node:http alone: ${describeSide(floor, p50Ms.floor)})`,
      figures: [
        ...figuresOf(api),
        { of: '× the p50 of node:http', value: slowdown, better: 'less', must: 3 },
        ...(onCluster ? figuresOf(onCluster, ' on a cluster') : []),
      ],
      ...(cluster ? {} : { skipped: [`the cluster: ${why}`] }),
      ...whyVoid(sides),
    }
  } finally {
    for (const child of children) child.kill()
  }
}

export function sse(): Promise<RowReport> {
  return besideCluster({ workers: [] }, compare)
}
