/** Upload URLs: where a tenant puts the PDF of a case that waits for it. */
import { uploadKey } from '../../domain/cases/keys.ts'
import { reopenUpload } from '../../domain/cases/upload-window.ts'
import { UPLOAD_URL_LIFE_MS } from '../../domain/limits.ts'
import { PDF_TYPE } from '../../domain/media-types.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { UseCaseDeps } from '../deps.ts'
import { changeSpec, type SeenCase } from './read-case.ts'

/** A URL of one hour. */
export async function presignUpload(
  key: CaseKey,
  { objects, now }: Pick<UseCaseDeps, 'objects' | 'now'>,
) {
  const expiresAt = new Date(now().getTime() + UPLOAD_URL_LIFE_MS)
  const url = await objects.presignPut(uploadKey(key), { contentType: PDF_TYPE, expiresAt })
  return { type: 'PUT' as const, url }
}

/**
 * A further URL, and with it the fact that the tenant asked: the upload is looked for as long.
 *
 * @param assert refuses a case that needs no URL
 * @throws NotFoundError, ServiceError TIMEOUT, and what `assert` throws
 */
export async function presignFurtherUpload(
  key: CaseKey,
  deps: Pick<UseCaseDeps, 'cases' | 'keyring' | 'objects' | 'now'>,
  assert: (seen: SeenCase) => void,
) {
  const seen = await changeSpec(key, deps, (current) => {
    assert(current)
    const { signatureCase } = current
    return reopenUpload(signatureCase, deps.now()) ?? signatureCase.spec
  })
  return presignUpload(seen.key, deps)
}
