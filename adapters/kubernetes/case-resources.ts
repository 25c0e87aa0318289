/** Secrets and Events around a `SignatureCase`, for users of kubectl. */
import { createHash } from 'node:crypto'
import { KIND, type SignatureCase } from '../../domain/cases/signature-case.ts'
import { API_VERSION } from '../../domain/resources.ts'
import type { KubernetesEvent, CaseResources } from '../../domain/ports/case-resources.ts'
import type { CaseSecrets } from '../../domain/ports/secret-store.ts'
import { AlreadyExistsError, type CaseKey } from '../../domain/ports/stores.ts'
import type { Timers } from '../../domain/ports/timers.ts'
import type { ApiServer } from './api-server.ts'
import { isEnding, type Namespace } from './namespaces.ts'
import { Resources, type KubernetesObject } from './resources.ts'
import { decodeValues, encodeValues, MANAGED_BY, type Secret } from './secrets.ts'

const UPLOAD_TYPE = 'sigcase.dev/upload'
/**
 * Only Secrets with this label are read. Otherwise, anybody who may create cases could have any
 * Secret of the namespace sent to a URL of their choice.
 */
const CALLBACK_MARK = 'sigcase.dev/callback-credentials'
const CREDENTIALS = ['clientId', 'clientSecret', 'apiKeyValue', 'signingSecret'] as const
const REPORTER = 'sigcase-controller'

interface Event extends KubernetesObject {
  apiVersion: 'v1'
  kind: 'Event'
  [member: string]: unknown
}

const uploadName = ({ caseId }: CaseKey) => `${caseId}-upload`

export class KubernetesCaseResources implements CaseResources {
  readonly #secrets: Resources<Secret>
  readonly #events: Resources<Event>
  readonly #namespaces: Resources<Namespace>
  readonly #timers: Timers

  constructor(api: ApiServer, timers: Timers) {
    this.#secrets = new Resources(api, '/api/v1', 'secrets', { isOfTenants: true })
    this.#events = new Resources(api, '/api/v1', 'events', { isOfTenants: true })
    this.#namespaces = new Resources(api, '/api/v1', 'namespaces')
    this.#timers = timers
  }

  async isNamespaceEnding(tenant: string): Promise<boolean> {
    return isEnding(await this.#namespaces.get(tenant))
  }

  async findCredentials(tenant: string, secretName: string): Promise<CaseSecrets | undefined> {
    const secret = await this.#secrets.get(secretName, tenant)
    if (secret?.metadata.labels?.[CALLBACK_MARK] !== 'true') return undefined
    const values = decodeValues(secret.data ?? {})
    const known = CREDENTIALS.filter((name) => values[name] !== undefined)
    return Object.fromEntries(known.map((name) => [name, values[name]])) as CaseSecrets
  }

  async publishedUpload(key: CaseKey): Promise<Date | undefined> {
    const secret = await this.#secrets.get(uploadName(key), key.tenant)
    const { expiresAt } = decodeValues(secret?.data ?? {})
    return expiresAt === undefined ? undefined : new Date(expiresAt)
  }

  async publishUpload(key: CaseKey, upload: { url: string; expiresAt: Date }): Promise<void> {
    const { url, expiresAt } = upload
    const data = encodeValues({ url, method: 'PUT', expiresAt: expiresAt.toISOString() })
    const [name, namespace] = [uploadName(key), key.tenant]
    if (await this.#secrets.merge(name, namespace, { data })) return
    const metadata = { name, namespace, labels: MANAGED_BY }
    await this.#secrets.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      type: UPLOAD_TYPE,
      data,
    })
  }

  async removeUpload(key: CaseKey): Promise<void> {
    await this.#secrets.delete(uploadName(key), key.tenant)
  }

  /**
   * The name of the Event derives from the event and the version of the case, so that it is
   * written once.
   */
  async publishEvent({ metadata }: SignatureCase, asked: KubernetesEvent): Promise<void> {
    const { name, namespace, resourceVersion } = metadata
    const involvedObject = {
      apiVersion: API_VERSION,
      kind: KIND,
      name,
      namespace,
      uid: metadata.uid,
    }
    const { type, reason, message } = asked
    const identity = JSON.stringify([resourceVersion, reason, message])
    const digest = createHash('sha256').update(identity).digest('hex').slice(0, 16)
    const now = new Date(this.#timers.nowMs()).toISOString().replace(/\.\d+Z$/, 'Z')
    const event: Event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${digest}`, namespace },
      involvedObject,
      type,
      reason,
      message,
      source: { component: REPORTER },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    }
    try {
      await this.#events.create(event)
    } catch (error) {
      if (!(error instanceof AlreadyExistsError)) throw error
    }
  }
}
