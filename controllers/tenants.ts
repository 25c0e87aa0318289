/**
 * Creates the namespace and rights of each tenant, and reports in the tenant's status whether they
 * exist.
 */
import { isDeepStrictEqual } from 'node:util'
import { ConflictError } from '../domain/ports/stores.ts'
import {
  NamespaceEndingError,
  NamespaceRefusedError,
  type TenantNamespaces,
  type TenantStore,
} from '../domain/ports/tenant-store.ts'
import type { Timers } from '../domain/ports/timers.ts'
import { DEFAULT_TIME_ZONE, isTimeZone } from '../domain/local-time.ts'
import { findBranding, type BrandingFinding } from '../domain/tenants/branding.ts'
import type { Tenant, TenantStatus } from '../domain/tenants/schema.ts'
import { identityFault, type IdentityFault } from '../domain/tenants/identity.ts'
import { namespaceFault, type NamespaceFault } from '../domain/tenants/namespace.ts'
import type { Controller } from './controller.ts'
import { TenantClaims } from './tenant-claims.ts'
import { WorkQueue } from './work-queue.ts'

const RESYNC_INTERVAL_MS = 5 * 60_000
/** Delay after a failed resync: a tenant that the watch does not report waits for the next one. */
const RESYNC_RETRY_MS = 5_000
/** Delay until a deleted namespace is created again; a watch usually notices it sooner. */
const ENDING_POLL_MS = 5_000
const CONCURRENCY = 4
/** Length of an API server's message in a condition, which could hold more. */
const MAXIMUM_MESSAGE_LENGTH = 500

export interface TenantControllerDeps {
  tenants: TenantStore
  namespaces: TenantNamespaces
  /** Namespace of the service itself, which no tenant may use. */
  home: string
  /** Says why a logo is refused; undefined when it is accepted. */
  findLogoFault(logo: string): string | undefined
  timers: Timers
  log: { warn(details: object, message: string): void }
}

type NewCondition = Omit<TenantStatus['conditions'][number], 'lastTransitionTime'>

/** Says whether the time zone is used; a newer database than that of the service may have it. */
function timeZoneCondition({ timeZone }: Tenant['spec']): NewCondition[] {
  if (timeZone === undefined) return []
  const isKnown = isTimeZone(timeZone)
  const message = isKnown
    ? 'mails and evidence show local times of this zone'
    : `${timeZone} is not in the IANA time zone database of the service; ` +
      `local times are of ${DEFAULT_TIME_ZONE}`
  return [
    {
      type: 'TimeZoneKnown',
      status: isKnown ? 'True' : 'False',
      reason: isKnown ? 'AsGiven' : 'UnknownTimeZone',
      message,
    },
  ]
}

function statusOf(
  { metadata, spec, status }: Tenant,
  fault: NamespaceFault | IdentityFault | undefined,
  branding: BrandingFinding | undefined,
  nowMs: number,
) {
  const ready: NewCondition = {
    type: 'Ready',
    status: fault ? 'False' : 'True',
    reason: fault?.reason ?? 'NamespaceReady',
    message: fault?.message ?? 'the namespace and its access rights are ready',
  }
  const shown: NewCondition[] = branding
    ? [
        {
          type: 'BrandingShown',
          status: branding.isShown ? 'True' : 'False',
          reason: branding.reason,
          message: branding.message,
        },
      ]
    : []
  const next: TenantStatus = {
    observedGeneration: metadata.generation ?? 0,
    conditions: [ready, ...shown, ...timeZoneCondition(spec)].map((condition) => {
      const before = status?.conditions.find(({ type }) => type === condition.type)
      const isSame = before?.status === condition.status
      const lastTransitionTime = isSame ? before.lastTransitionTime : new Date(nowMs).toISOString()
      return { ...condition, lastTransitionTime }
    }),
  }
  return isDeepStrictEqual(next, status) ? undefined : next
}

const NAMESPACE_REASONS = [
  [NamespaceRefusedError, 'NamespaceRefused'],
  [NamespaceEndingError, 'NamespaceTerminating'],
] as const

/**
 * @returns why the platform team has to act first, or undefined when the namespace is ready
 * @throws Error when the namespace cannot be created; the queue retries
 */
async function makeNamespace(
  namespace: string,
  namespaces: TenantNamespaces,
): Promise<NamespaceFault | undefined> {
  try {
    await namespaces.ensure(namespace)
    return undefined
  } catch (error) {
    const reason = NAMESPACE_REASONS.find(([type]) => error instanceof type)?.[1]
    if (!(error instanceof Error) || !reason) throw error
    return { reason, message: error.message.slice(0, MAXIMUM_MESSAGE_LENGTH) }
  }
}

/**
 * @returns the delay in milliseconds until the next check, if the namespace is being deleted
 * @throws Error when the namespace cannot be created; the queue retries
 */
async function reconcileTenant(
  tenant: Tenant,
  claims: TenantClaims,
  deps: TenantControllerDeps,
): Promise<number | undefined> {
  const { tenants, namespaces, home, findLogoFault, timers } = deps
  const all = await claims.all(tenant)
  const fault =
    namespaceFault(tenant, all, home) ??
    identityFault(tenant, all) ??
    (await makeNamespace(tenant.spec.namespace, namespaces))
  const { branding } = tenant.spec
  const logoFault = branding?.logo === undefined ? undefined : findLogoFault(branding.logo)
  const status = statusOf(tenant, fault, findBranding(branding, logoFault), timers.nowMs())
  const dueMs = fault?.reason === 'NamespaceTerminating' ? ENDING_POLL_MS : undefined
  if (!status) return dueMs
  try {
    await tenants.replaceStatus({ ...tenant, status })
  } catch (error) {
    // A newer version exists, and the watch has reported it.
    if (!(error instanceof ConflictError)) throw error
  }
  return dueMs
}

/** Builds the controller of tenants; `start` starts it. */
export function buildTenantController(deps: TenantControllerDeps): Controller {
  const { tenants, namespaces, timers, log } = deps
  /** The namespace of each tenant, by tenant name. */
  const namespaceOf = new Map<string, string>()
  const claims = new TenantClaims(tenants)
  const queue = new WorkQueue({
    timers,
    concurrency: CONCURRENCY,
    groupOf: (name) => name,
    run: async (name) => {
      const tenant = await tenants.get(name)
      if (tenant) {
        namespaceOf.set(name, tenant.spec.namespace)
        return reconcileTenant(tenant, claims, deps)
      }
      namespaceOf.delete(name)
      // Another tenant may be able to use the namespace or identity that became free.
      await resync()
      return undefined
    },
    onError: (error, tenant) => log.warn({ err: error, tenant }, 'reconcile of a tenant failed'),
  })
  const onNamespace = (changed: string) => {
    for (const [name, namespace] of namespaceOf) if (namespace === changed) queue.add(name)
  }
  let stopped = false
  let endWatch = () => {}
  let cancel = () => {}
  const resync = async () => {
    for (const name of await claims.list()) queue.add(name)
  }
  const repeat = (delayMs: number) => {
    cancel = timers.after(delayMs, () => {
      void tryResync()
    })
  }
  const tryResync = async () => {
    const delayMs = await resync().then(
      () => RESYNC_INTERVAL_MS,
      (error: unknown) => {
        log.warn({ err: error }, 'resync of tenants failed')
        return RESYNC_RETRY_MS
      },
    )
    if (!stopped) repeat(delayMs)
  }
  return {
    async start() {
      const ends = [tenants.watch((name) => queue.add(name)), namespaces.watch(onNamespace)]
      endWatch = () => ends.forEach((end) => end())
      await tryResync()
    },
    async stop() {
      stopped = true
      endWatch()
      cancel()
      await queue.close()
    },
  }
}
