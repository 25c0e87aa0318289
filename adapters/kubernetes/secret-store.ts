/** Secrets of cases as Kubernetes Secrets with the name of their case. */
import type { CaseSecrets, SecretStore } from '../../domain/ports/secret-store.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { ApiServer } from './api-server.ts'
import { isNotReady, MAXIMUM_PAGE, Resources } from './resources.ts'
import { decodeValues, encodeValues, MANAGED_BY, type Secret } from './secrets.ts'

const ROOT = '/api/v1'
const TYPE = 'sigcase.dev/case-secrets'
const ADOPTED = 'sigcase.dev/adopted'
const UNADOPTED_ONLY = `app.kubernetes.io/managed-by=sigcase,${ADOPTED}=false`
/** Pages of one namespace that one sweep reads; the next sweep finds the rest. */
const MAXIMUM_PAGES = 1_000

export class KubernetesSecretStore implements SecretStore {
  readonly #secrets: Resources<Secret>
  readonly #tenants: () => Promise<readonly string[]>

  /**
   * @param tenants namespaces in which to look for unadopted secrets, so that the service does not
   *   need the right to list Secrets of all namespaces
   */
  constructor(api: ApiServer, tenants: () => Promise<readonly string[]>) {
    this.#secrets = new Resources(api, ROOT, 'secrets', { isOfTenants: true })
    this.#tenants = tenants
  }

  async create({ tenant, caseId }: CaseKey, secrets: CaseSecrets): Promise<void> {
    await this.#secrets.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: caseId, namespace: tenant, labels: { ...MANAGED_BY, [ADOPTED]: 'false' } },
      type: TYPE,
      data: encodeValues(secrets),
    })
  }

  async get({ tenant, caseId }: CaseKey): Promise<CaseSecrets | undefined> {
    const secret = await this.#secrets.get(caseId, tenant)
    return secret?.type === TYPE ? decodeValues(secret.data ?? {}) : undefined
  }

  async adopt({ tenant, caseId }: CaseKey): Promise<void> {
    const patch = { metadata: { labels: { [ADOPTED]: 'true' } } }
    await this.#secrets.merge(caseId, tenant, patch)
  }

  async delete({ tenant, caseId }: CaseKey): Promise<void> {
    await this.#secrets.delete(caseId, tenant)
  }

  async listUnadopted(createdBefore: Date, limit: number): Promise<CaseKey[]> {
    const found: CaseKey[] = []
    for (const tenant of await this.#tenants()) {
      if (found.length >= limit) break
      found.push(...(await this.#unadoptedWhereReady(tenant, createdBefore, limit - found.length)))
    }
    return found
  }

  /** Skips a namespace that is not ready, so that it does not block the others. */
  async #unadoptedWhereReady(tenant: string, createdBefore: Date, limit: number) {
    try {
      return await this.#listUnadoptedOfTenant(tenant, createdBefore, limit)
    } catch (error) {
      if (isNotReady(error)) return []
      throw error
    }
  }

  async #listUnadoptedOfTenant(
    tenant: string,
    createdBefore: Date,
    limit: number,
  ): Promise<CaseKey[]> {
    const found: CaseKey[] = []
    let next: string | undefined
    for (let page = 0; page < MAXIMUM_PAGES && found.length < limit; page++) {
      const { items, continue: more } = await this.#secrets.list(
        {
          limit: MAXIMUM_PAGE,
          labelSelector: UNADOPTED_ONLY,
          ...(next === undefined ? {} : { continue: next }),
        },
        tenant,
      )
      const old = items.filter(
        ({ metadata }) => Date.parse(metadata.creationTimestamp ?? '') < createdBefore.getTime(),
      )
      found.push(...old.map(({ metadata }) => ({ tenant, caseId: metadata.name })))
      next = more
      if (next === undefined) break
    }
    return found.slice(0, limit)
  }
}
