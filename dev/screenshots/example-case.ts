/** Cases for the pictures, in the service that is started for them. */
import { request, upload, waitFor } from '../../cli/demo/client.ts'

const STEP_LIMIT_MS = 60_000
const WEEK_MS = 7 * 24 * 60 * 60 * 1000

export interface Tenant {
  baseUrl: string
  token: string
}

interface CaseAnswer {
  id: string
  status: string
  participants: { id: string; signerUrl: string }[]
}

export interface ExampleCase {
  caseId: string
  participantId: string
  signerUrl: string
}

/** How a case differs from the usual one. */
export interface ExampleOptions {
  title?: string
  /** Members of the request that creates it. */
  more?: object
  /** Any bytes. */
  document: Uint8Array<ArrayBuffer>
}

/** Opens a case of one participant, and waits until its upload was read. */
export async function openExample(
  { baseUrl, token }: Tenant,
  { title = 'Contract for design work', more = {}, document }: ExampleOptions,
): Promise<ExampleCase> {
  const field = { id: 'contractor', page: 1, x: 72, y: 560, width: 200, height: 60, unit: 'pt' }
  const person = { firstName: 'Jane', lastName: 'Doe', email: 'jane@example.com', language: 'en' }
  const body = {
    title,
    validUntil: new Date(Date.now() + WEEK_MS).toISOString(),
    sender: { name: 'ACME Studio' },
    participants: [{ ...person, signatureFields: [field] }],
    ...more,
  }
  const created = await request<{ case: CaseAnswer; upload: { url: string } }>(
    'creating the case',
    `${baseUrl}/cases`,
    { token, method: 'POST', body },
  )
  await upload(created.upload.url, document)
  const url = `${baseUrl}/cases/${created.case.id}`
  const read = () => request<CaseAnswer>('reading the case', url, { token })
  const opened = await waitFor('the upload', STEP_LIMIT_MS, read, ({ status }) => status !== 'NEW')
  const [participant] = opened.participants
  if (!participant) throw new Error('the case has no participant')
  const { id: participantId, signerUrl } = participant
  return { caseId: opened.id, participantId, signerUrl }
}
