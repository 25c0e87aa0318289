/** Gives each tenant the place where its cases live, and says whether it has one. */
import { isDeepStrictEqual } from 'node:util'
import { ConflictError } from '../domain/ports/stores.ts'
import {
  PlaceRefusedError,
  type TenantPlaces,
  type TenantStore,
} from '../domain/ports/tenant-store.ts'
import type { Timers } from '../domain/ports/timers.ts'
import type { Tenant, TenantStatus } from '../domain/tenants/schema.ts'
import { identityFault, type IdentityFault } from '../domain/tenants/identity.ts'
import { placeFault, type PlaceFault } from '../domain/tenants/place.ts'
import type { Controller } from './controller.ts'
import { WorkQueue } from './work-queue.ts'

const RESYNC_INTERVAL_MS = 5 * 60_000
const LIST_PAGE = 500
const MAXIMUM_PAGES = 1_000
const CONCURRENCY = 4
/** Of what an API server says; the condition takes more. */
const MAXIMUM_MESSAGE_LENGTH = 500

export interface TenantControllerDeps {
  tenants: TenantStore
  places: TenantPlaces
  /** Namespace of the service itself, which no tenant gets. */
  home: string
  timers: Timers
  log: { warn(details: object, message: string): void }
}

async function allTenants(tenants: TenantStore): Promise<Tenant[]> {
  const all: Tenant[] = []
  let next: string | undefined
  for (let page = 0; page < MAXIMUM_PAGES; page++) {
    const from = next === undefined ? {} : { continue: next }
    const { items, continue: more } = await tenants.list({ limit: LIST_PAGE, ...from })
    all.push(...items)
    next = more
    if (next === undefined) break
  }
  return all
}

function statusOf(
  { metadata, status }: Tenant,
  fault: PlaceFault | IdentityFault | undefined,
  nowMs: number,
) {
  const ready: Omit<TenantStatus['conditions'][number], 'lastTransitionTime'> = {
    type: 'Ready',
    status: fault ? 'False' : 'True',
    reason: fault?.reason ?? 'PlaceMade',
    message: fault?.message ?? 'namespace and rights are in place',
  }
  const before = status?.conditions.find(({ type }) => type === 'Ready')
  const isSame = before?.status === ready.status
  const lastTransitionTime = isSame ? before.lastTransitionTime : new Date(nowMs).toISOString()
  const next: TenantStatus = {
    observedGeneration: metadata.generation ?? 0,
    conditions: [{ ...ready, lastTransitionTime }],
  }
  return isDeepStrictEqual(next, status) ? undefined : next
}

/**
 * @returns why the platform team has to act first, or undefined when the place is made
 * @throws Error when the place cannot be made: it is tried again
 */
async function makePlace(namespace: string, places: TenantPlaces): Promise<PlaceFault | undefined> {
  try {
    await places.ensure(namespace)
    return undefined
  } catch (error) {
    if (!(error instanceof PlaceRefusedError)) throw error
    return { reason: 'NamespaceRefused', message: error.message.slice(0, MAXIMUM_MESSAGE_LENGTH) }
  }
}

/**
 * @returns whether the tenant is there
 * @throws Error when the place cannot be made: it is tried again
 */
async function reconcileTenant(name: string, deps: TenantControllerDeps): Promise<boolean> {
  const { tenants, places, home, timers } = deps
  const tenant = await tenants.get(name)
  if (!tenant) return false
  const all = await allTenants(tenants)
  const fault =
    placeFault(tenant, all, home) ??
    identityFault(tenant, all) ??
    (await makePlace(tenant.spec.namespace, places))
  const status = statusOf(tenant, fault, timers.nowMs())
  if (!status) return true
  try {
    await tenants.replaceStatus({ ...tenant, status })
  } catch (error) {
    // Another version of it is there, and was told of.
    if (!(error instanceof ConflictError)) throw error
  }
  return true
}

/** The controller of tenants, not started yet. */
export function buildTenantController(deps: TenantControllerDeps): Controller {
  const { tenants, timers, log } = deps
  const queue = new WorkQueue({
    timers,
    concurrency: CONCURRENCY,
    run: async (name) => {
      // What it had may be another's now.
      if (!(await reconcileTenant(name, deps))) await resync()
    },
    onError: (error, tenant) => log.warn({ err: error, tenant }, 'reconcile of a tenant failed'),
  })
  let stopped = false
  let endWatch = () => {}
  let takeBack = () => {}
  const resync = async () => {
    for (const { metadata } of await allTenants(tenants)) queue.add(metadata.name)
  }
  const repeat = () => {
    takeBack = timers.after(RESYNC_INTERVAL_MS, () => {
      void tryResync()
    })
  }
  const tryResync = async () => {
    await resync().catch((error: unknown) => log.warn({ err: error }, 'resync of tenants failed'))
    if (!stopped) repeat()
  }
  return {
    async start() {
      endWatch = tenants.watch((name) => queue.add(name))
      await tryResync()
    },
    async stop() {
      stopped = true
      endWatch()
      takeBack()
      await queue.close()
    },
  }
}
