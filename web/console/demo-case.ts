/** A demonstration: creates a case for signing in person and hands it to a kiosk. */
import type { CaseAnswer } from '../../domain/contract/answers.ts'
import type { CaseInput } from '../../domain/contract/case-input.ts'
import type { Language } from '../texts/plural.ts'
import type { Outcome, TenantClient } from './api.ts'
import { demoPdf } from './demo-pdf.ts'
import { uploadDocument, type CreatedCase } from './send-case.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const POLL_MS = 500
const MAXIMUM_POLLS = 60
const FIELD = { id: 'f1', page: 1, x: 72, y: 560, width: 220, height: 66, unit: 'pt' as const }

const demoInput = (title: string, language: Language): CaseInput => ({
  title,
  quickSign: true,
  validUntil: new Date(Date.now() + DAY_MS).toISOString(),
  participants: [
    {
      firstName: 'Jana',
      lastName: 'Demo',
      email: 'demo@example.com',
      notify: false,
      language,
      signatureFields: [FIELD],
    },
  ],
})

const later = (delayMs: number) => new Promise((resolve) => window.setTimeout(resolve, delayMs))

/** Waits until the document was checked. */
async function untilChecked(client: TenantClient, caseId: string): Promise<Outcome<CaseAnswer>> {
  for (let poll = 1; ; poll++) {
    const outcome = await client.ask<CaseAnswer>('GET', `/cases/${caseId}`)
    const isOver = outcome.kind !== 'answered' || outcome.value.status !== 'NEW'
    if (isOver || poll >= MAXIMUM_POLLS) return outcome
    await later(POLL_MS)
  }
}

/** Hands a case to a kiosk for one person. */
export const openOnKiosk = (
  client: TenantClient,
  { caseId, participantId, deviceId }: Record<'caseId' | 'participantId' | 'deviceId', string>,
): Promise<Outcome<unknown>> =>
  client.ask('POST', `/cases/${caseId}/participants/${participantId}/open`, { body: { deviceId } })

/**
 * Creates the case, uploads its document and opens it on the kiosk once it was checked.
 *
 * @returns the id of the case
 */
export async function demonstrate(
  client: TenantClient,
  { deviceId, title, language }: { deviceId: string; title: string; language: Language },
): Promise<Outcome<string>> {
  const body = demoInput(title, language)
  const created = await client.ask<CreatedCase>('POST', '/cases', { body })
  if (created.kind !== 'answered') return created
  const { case: made, upload } = created.value
  const fault = upload && (await uploadDocument(upload, demoPdf(title)))
  if (fault) return fault
  const checked = await untilChecked(client, made.id)
  if (checked.kind !== 'answered') return checked
  const [participant] = made.participants
  const ids = { caseId: made.id, participantId: participant?.id ?? '', deviceId }
  const opened = await openOnKiosk(client, ids)
  return opened.kind === 'answered' ? { kind: 'answered', value: made.id } : opened
}
