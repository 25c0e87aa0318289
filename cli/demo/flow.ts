/** Runs the whole flow over HTTP: create, upload, sign for two people, wait, download. */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { DemoError, download, request, upload, waitFor } from './client.ts'
import { signaturePath, signaturePng } from './drawing.ts'

const INTAKE_LIMIT_MS = 120_000
const FINALISE_LIMIT_MS = 180_000
const CASE_LIFE_MS = 7 * 24 * 60 * 60 * 1000

/** Parts of the responses that the demo reads (specification 2.1 to 2.3, 2.11). */
interface DocumentAnswer {
  url?: string
  sha256?: string
  size?: number
  level?: string
}
interface CaseAnswer {
  id: string
  status: string
  rejectReason?: string
  failureReason?: string
  participants: { id: string; firstName: string; lastName: string; signerUrl?: string }[]
  signedDocument?: DocumentAnswer
  evidenceDocument?: DocumentAnswer
}
interface CaseDefinitionAnswer {
  consentText: { version: string }
  participant: { signatureFields: { id: string }[] }
  document?: { pageCount?: number }
}

const PARTICIPANTS = [
  {
    firstName: 'Jana',
    lastName: 'Nováková',
    email: 'jana.novakova@example.com',
    language: 'sk',
    signatureFields: [{ page: 1, x: 0.08, y: 0.82, width: 0.36, height: 0.1, unit: 'fraction' }],
  },
  {
    firstName: 'Ľuboš',
    lastName: 'Šťastný',
    email: 'lubos.stastny@example.com',
    language: 'en',
    signatureFields: [],
  },
] as const

/** Rectangle of a signer without a predefined field. */
const OWN_RECTANGLE = { page: 1, x: 0.56, y: 0.82, width: 0.36, height: 0.1, unit: 'fraction' }

export interface DemoInput {
  baseUrl: string
  token: string
  title: string
  pdf: Uint8Array<ArrayBuffer>
  now(): Date
  progress(line: string): void
}

export interface DemoResult {
  caseId: string
  signed: Uint8Array
  evidence: Uint8Array
}

async function createCase(input: DemoInput): Promise<CaseAnswer> {
  const { baseUrl, token, title, pdf, now, progress } = input
  const created = await request<{ case: CaseAnswer; upload: { url: string } }>(
    'creating the case',
    `${baseUrl}/cases`,
    {
      token,
      method: 'POST',
      body: {
        title,
        validUntil: new Date(now().getTime() + CASE_LIFE_MS).toISOString(),
        sender: { name: 'sigcase demo' },
        participants: PARTICIPANTS,
      },
    },
  )
  progress(`case ${created.case.id} created`)
  await upload(created.upload.url, pdf)
  progress(`${pdf.length} bytes uploaded`)
  return created.case
}

async function accepted(input: DemoInput, caseId: string): Promise<CaseAnswer> {
  const { baseUrl, token, progress } = input
  const found = await waitFor(
    'the document to be looked at',
    INTAKE_LIMIT_MS,
    () => request<CaseAnswer>('reading the case', `${baseUrl}/cases/${caseId}`, { token }),
    ({ status }) => status !== 'NEW',
  )
  if (found.status === 'UPLOAD_REJECTED') {
    throw new DemoError(`the document was rejected: ${found.rejectReason}`)
  }
  if (found.status !== 'IN_PROGRESS') throw new DemoError(`the case is ${found.status}`)
  progress('document accepted, participants invited')
  return found
}

/** Reads the token of a signing link from its fragment. */
function linkToken(signerUrl: string | undefined): string {
  const token = signerUrl === undefined ? '' : new URL(signerUrl).hash.slice(1)
  if (token === '') throw new DemoError('the case has no signing link')
  return token
}

async function sign(
  input: DemoInput,
  participant: CaseAnswer['participants'][number],
  encodedSignature: string,
): Promise<void> {
  const { baseUrl, now, progress } = input
  const name = `${participant.firstName} ${participant.lastName}`
  const token = linkToken(participant.signerUrl)
  const place = `${baseUrl}/participant/${participant.id}`
  const seen = await request<CaseDefinitionAnswer>(
    `opening the link of ${name}`,
    `${place}/caseDefinition`,
    { token },
  )
  const fields = seen.participant.signatureFields.map(({ id }) => id)
  await request(`signing as ${name}`, `${place}/signature`, {
    token,
    method: 'POST',
    body: {
      encodedSignature,
      ...(fields.length > 0 ? { fieldIds: fields } : { signatures: [OWN_RECTANGLE] }),
      consent: { textVersion: seen.consentText.version, acceptedAt: now().toISOString() },
      client: { timezone: 'Europe/Bratislava', language: 'sk-SK', viewedAllPages: true },
    },
  })
  progress(`${name} signed`)
}

async function fetched(what: string, document: DocumentAnswer | undefined): Promise<Uint8Array> {
  if (document?.url === undefined) throw new DemoError(`the case has no link to the ${what}`)
  const bytes = await download(document.url)
  const digest = createHash('sha256').update(bytes).digest('hex')
  if (digest !== document.sha256) throw new DemoError(`the ${what} differs from that of the case`)
  return bytes
}

/**
 * Runs the flow to its end.
 *
 * @throws DemoError with the reason when the document is rejected or a step fails
 */
export async function runDemo(input: DemoInput): Promise<DemoResult> {
  const { baseUrl, token, progress } = input
  const { id: caseId } = await createCase(input)
  const { participants } = await accepted(input, caseId)
  const [jana, lubos] = participants
  if (!jana || !lubos) throw new DemoError('the case lacks its participants')
  await sign(input, jana, signaturePath(`${jana.firstName} ${jana.lastName}`))
  const png = signaturePng(`${lubos.firstName} ${lubos.lastName}`)
  await sign(input, lubos, `data:image/png;base64,${Buffer.from(png).toString('base64')}`)
  const done = await waitFor(
    'the signed document',
    FINALISE_LIMIT_MS,
    () => request<CaseAnswer>('reading the case', `${baseUrl}/cases/${caseId}`, { token }),
    ({ status }) => status !== 'IN_PROGRESS',
  )
  if (done.status !== 'DONE') {
    throw new DemoError(`the case is ${done.status}: ${done.failureReason ?? 'no reason given'}`)
  }
  progress(`done: ${done.signedDocument?.level}`)
  return {
    caseId,
    signed: await fetched('signed document', done.signedDocument),
    evidence: await fetched('evidence', done.evidenceDocument),
  }
}
