/** Cases as `SignatureCase` resources of a Kubernetes API server. */
import { isNewFromApi } from '../../domain/cases/archive.ts'
import { completed, FINALIZER } from '../../domain/cases/complete.ts'
import { shardSelector, type ShardGroup } from '../../domain/cases/shards.ts'
import { KIND, type SignatureCase } from '../../domain/cases/signature-case.ts'
import { API_VERSION } from '../../domain/resources.ts'
import type { CaseKey, CaseStore, OnChange, Page } from '../../domain/ports/stores.ts'
import type { ApiServer } from './api-server.ts'
import { Resources, withoutManagedFields } from './resources.ts'
import { watchKeys, type WatchLog } from './watch.ts'

const ROOT = `/apis/${API_VERSION}`
const PLURAL = 'signaturecases'

type ListOptions = Parameters<CaseStore['list']>[0]

export class KubernetesCaseStore implements CaseStore {
  readonly #api: ApiServer
  readonly #cases: Resources<SignatureCase>
  readonly #log: WatchLog

  constructor(api: ApiServer, log: WatchLog) {
    this.#api = api
    this.#cases = new Resources(api, ROOT, PLURAL, { isOfTenants: true })
    this.#log = log
  }

  async create({ metadata: given, spec }: SignatureCase): Promise<SignatureCase> {
    const metadata = { ...given, finalizers: [FINALIZER] }
    return completed(
      await this.#cases.create({ apiVersion: API_VERSION, kind: KIND, metadata, spec }),
    )
  }

  async get({ tenant, caseId }: CaseKey): Promise<SignatureCase | undefined> {
    const found = await this.#cases.get(caseId, tenant)
    return found && completed(found)
  }

  /**
   * Writes a merge patch of the facts; the definition stays as its author wrote it (decision 2).
   */
  async replaceSpec({ metadata, spec }: SignatureCase): Promise<SignatureCase> {
    const { resourceVersion, finalizers, annotations, labels } = metadata
    const { definition: _, creation: _at, ...facts } = spec
    const patch = { metadata: { resourceVersion, finalizers, annotations, labels }, spec: facts }
    return completed(await this.#cases.swap(metadata, patch))
  }

  /**
   * Writes a JSON patch of the status only. When a client replaces a status, API servers before
   * 1.21 record it as the owner of every changed field in the body, which would contain derived
   * ids.
   */
  async replaceStatus({ metadata, status }: SignatureCase): Promise<SignatureCase> {
    const { resourceVersion } = metadata
    const patch = [
      { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
      { op: 'add', path: '/status', value: status },
    ]
    return completed(await this.#cases.swap(metadata, patch, 'status'))
  }

  async delete({ tenant, caseId }: CaseKey, version?: string): Promise<void> {
    await this.#cases.delete(caseId, tenant, version)
  }

  async list(options: ListOptions): Promise<Page<SignatureCase>> {
    return this.#list(options)
  }

  watch(onChange: OnChange): () => void {
    return this.#watch(onChange)
  }

  /**
   * Returns the store with the listing and the watch of one group of shards. The API server selects
   * the cases. All other calls are those of this store, and reach every case.
   */
  ofShards(group: ShardGroup): CaseStore {
    const selector = shardSelector(group)
    if (selector === undefined) return this
    return {
      create: (signatureCase) => this.create(signatureCase),
      get: (key) => this.get(key),
      replaceSpec: (signatureCase) => this.replaceSpec(signatureCase),
      replaceStatus: (signatureCase) => this.replaceStatus(signatureCase),
      delete: (key, version) => this.delete(key, version),
      list: (options) => this.#list(options, selector),
      watch: (onChange) => this.#watch(onChange, selector),
    }
  }

  async #list(
    { tenant, ...page }: ListOptions,
    labelSelector?: string,
  ): Promise<Page<SignatureCase>> {
    const query = { ...page, ...(labelSelector !== undefined && { labelSelector }) }
    const { items, ...rest } = await this.#cases.list(query, tenant)
    return { ...rest, items: items.map(completed) }
  }

  #watch(onChange: OnChange, labelSelector?: string): () => void {
    const selected = labelSelector === undefined ? this.#cases : this.#cases.selected(labelSelector)
    return watchKeys(this.#api, selected, this.#log, (change) => {
      const { name, namespace, version, object, isCreated = false } = change
      const seen = object as SignatureCase | undefined
      const isNew = seen !== undefined && isCreated && isNewFromApi(seen)
      const read = seen && (() => completed(withoutManagedFields(seen)))
      onChange({ tenant: namespace, caseId: name }, version, isNew, read)
    })
  }
}
