/** What the route handlers share: the client, and the contracts with the state of their cases. */
import { SigcaseClient, type WebhookEvent } from '@sigcase/client'

/** Reads a variable of the environment. @throws Error when it is not set */
export function readSetting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}

/** Returns a client of the service. */
export function openClient(): SigcaseClient {
  return new SigcaseClient({
    baseUrl: readSetting('SIGCASE_URL'),
    token: readSetting('SIGCASE_TOKEN'),
  })
}

export interface Contract {
  caseId: string
  status: string
  signedDocument?: Uint8Array
}

/** Replace both with tables of your database; `processed` needs a unique key. */
export const contracts = new Map<string, Contract>()
const processed = new Set<string>()

/** Applies a webhook once, whatever the number of its attempts. */
export async function applyWebhook({ id, type, caseId, status, data }: WebhookEvent) {
  if (processed.has(id)) return
  processed.add(id)
  const contract: Contract = { caseId, status }
  if (type === 'case-completed') {
    contract.signedDocument = await openClient().download(caseId, 'signed')
  }
  contracts.set(String(data?.['contractId']), contract)
}
