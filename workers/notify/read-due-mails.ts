/** Reads which mails of a case are due now and were not sent before. */
import { readReceipts } from '../../application/cases/receipts.ts'
import { AuditTrailError } from '../../domain/audit/fault.ts'
import { dueMails, recordedMails, type Receipts } from '../../domain/cases/due-mails.ts'
import { acceptedSignatures } from '../../domain/cases/facts.ts'
import { commonReceiptKey } from '../../domain/cases/keys.ts'
import { caseView } from '../../domain/cases/lifecycle.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { DueNow, NotifyDeps } from './deps.ts'

/**
 * Reads which mails were sent before. An open case gets only mails that the trail records, and none
 * while it is not sound; mails about the end of a case go to those that its valid part names.
 *
 * @throws AuditTrailError when the case is open and its trail is not sound
 */
async function readSent(
  key: CaseKey,
  signatureCase: SignatureCase,
  isOpen: boolean,
  { trail, objects }: NotifyDeps,
): Promise<Receipts> {
  if (isOpen) return recordedMails(signatureCase, await trail.newest(key))
  const readEntries = async () =>
    trail.newest(key).catch(async (error: unknown) => {
      if (!(error instanceof AuditTrailError)) throw error
      return (await trail.check(key)).entries
    })
  const [entries, receipts] = await Promise.all([readEntries(), readReceipts(key, objects)])
  return new Map([...recordedMails(signatureCase, entries), ...receipts])
}

/** Returns the mails that were not sent yet and are still due. */
export async function readDueMails(
  key: CaseKey,
  eventIds: readonly string[],
  deps: NotifyDeps,
): Promise<DueNow[]> {
  const { cases, objects, keyring, now } = deps
  const signatureCase = await cases.get(key)
  if (!signatureCase) return []
  const accepted = acceptedSignatures(keyring, signatureCase)
  const nowMs = now().getTime()
  const view = caseView(signatureCase, accepted, nowMs)
  const isOpen = view.phase === 'IN_PROGRESS'
  if (!isOpen && (await objects.stat(commonReceiptKey(key, eventIds)))) return []
  const findIn = (receipts: Receipts) =>
    dueMails(signatureCase, view, receipts, nowMs).filter(
      ({ eventId }) => eventIds.includes(eventId) && !receipts.has(eventId),
    )
  let mails = isOpen ? [] : findIn(new Map())
  // Others are recorded in the trail, or follow from those that are.
  if (mails.length < eventIds.length) {
    mails = findIn(await readSent(key, signatureCase, isOpen, deps))
  }
  const { participants } = signatureCase.spec.definition
  return mails.flatMap((mail) => {
    const participant = participants.find(({ id }) => id === mail.participantId)
    return participant ? [{ signatureCase, mail, participant }] : []
  })
}
