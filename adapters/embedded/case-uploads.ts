/** Decides which uploads a case still accepts, and notifies the controller of finished ones. */
import type { CaseUploads } from './object-server.ts'
import { acceptedSignatures } from '../../domain/cases/facts.ts'
import { caseOfUpload } from '../../domain/cases/keys.ts'
import { caseView } from '../../domain/cases/lifecycle.ts'
import { assertAwaitsUpload } from '../../domain/cases/refusals.ts'
import { ServiceError } from '../../domain/errors.ts'
import { CASE_CHANGED, type PubSub } from '../../domain/ports/pub-sub.ts'
import type { FactVerifier } from '../../domain/ports/keyring.ts'
import type { CaseKey, CaseStore } from '../../domain/ports/stores.ts'

interface CaseUploadDeps {
  cases: Pick<CaseStore, 'get'>
  keyring: FactVerifier
  ephemeral: PubSub
  /** Whether there is a verdict on the upload of the case. */
  isJudged(key: CaseKey): Promise<boolean>
  now(): Date
}

/** @throws ServiceError CASE_NOT_ACTIVE, DOCUMENT_ALREADY_UPLOADED */
async function assertTakesUpload(
  key: CaseKey,
  { cases, keyring, isJudged, now }: CaseUploadDeps,
): Promise<void> {
  const signatureCase = await cases.get(key)
  if (!signatureCase) throw new ServiceError('CASE_NOT_ACTIVE')
  const nowMs = now().getTime()
  const view = caseView(signatureCase, acceptedSignatures(keyring, signatureCase), nowMs)
  assertAwaitsUpload(view)
  // The verdict exists before the status shows it.
  if (!(await isJudged(key))) return
  throw new ServiceError('DOCUMENT_ALREADY_UPLOADED', { status: view.phase })
}

/** Answers the object server about uploads of cases; other keys accept what their URLs permit. */
export function caseUploads(deps: CaseUploadDeps): CaseUploads {
  return {
    async findRefusal(objectKey) {
      const key = caseOfUpload(objectKey)
      if (!key) return undefined
      try {
        await assertTakesUpload(key, deps)
        return undefined
      } catch (error) {
        if (error instanceof ServiceError) return error
        throw error
      }
    },
    // Published like a new result object; the controller's polling finds uploads whose message was
    // lost.
    onUploaded(objectKey) {
      const key = caseOfUpload(objectKey)
      if (key) void deps.ephemeral.publish(CASE_CHANGED, JSON.stringify(key)).catch(() => undefined)
    },
  }
}
