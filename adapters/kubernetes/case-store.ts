/** Cases as `SignatureCase` resources of a Kubernetes API server. */
import { FINALIZER } from '../../domain/cases/complete.ts'
import { KIND, type SignatureCase } from '../../domain/cases/signature-case.ts'
import { API_VERSION } from '../../domain/resources.ts'
import type { CaseKey, CaseStore, Page } from '../../domain/ports/stores.ts'
import type { ApiServer } from './api-server.ts'
import { Resources } from './resources.ts'
import { watchKeys, type WatchLog } from './watch.ts'

const ROOT = `/apis/${API_VERSION}`
const PLURAL = 'signaturecases'

export class KubernetesCaseStore implements CaseStore {
  readonly #api: ApiServer
  readonly #cases: Resources<SignatureCase>
  readonly #log: WatchLog

  constructor(api: ApiServer, log: WatchLog) {
    this.#api = api
    this.#cases = new Resources(api, ROOT, PLURAL)
    this.#log = log
  }

  async create({ metadata: given, spec }: SignatureCase): Promise<SignatureCase> {
    const metadata = { ...given, finalizers: [FINALIZER] }
    return this.#cases.create({ apiVersion: API_VERSION, kind: KIND, metadata, spec })
  }

  async get({ tenant, caseId }: CaseKey): Promise<SignatureCase | undefined> {
    return this.#cases.get(caseId, tenant)
  }

  async replaceSpec(signatureCase: SignatureCase): Promise<SignatureCase> {
    return this.#cases.replace(signatureCase)
  }

  async replaceStatus(signatureCase: SignatureCase): Promise<SignatureCase> {
    return this.#cases.replace(signatureCase, 'status')
  }

  async delete({ tenant, caseId }: CaseKey): Promise<void> {
    await this.#cases.delete(caseId, tenant)
  }

  async list(options: {
    limit: number
    tenant?: string
    continue?: string
  }): Promise<Page<SignatureCase>> {
    const { tenant, ...page } = options
    return this.#cases.list(page, tenant)
  }

  watch(onChange: (key: CaseKey) => void): () => void {
    return watchKeys(this.#api, this.#cases, this.#log, ({ name, namespace }) =>
      onChange({ tenant: namespace, caseId: name }),
    )
  }
}
