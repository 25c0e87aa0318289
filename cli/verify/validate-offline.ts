/** Validates a PDF for `npm run verify`, with the options of the command line and of a policy. */
import {
  type TrustAnchor,
  validate,
  type Validation,
  type ValidationOptions,
} from '../../pades/index.ts'
import type { TrustedLists } from '../../trusted-lists/index.ts'

/**
 * Validates once with the given anchors and, for paths that do not end at one of them, once more
 * with the anchors of the trusted lists.
 *
 * @throws PadesError - see `validate`
 */
export async function validateOffline(
  pdf: Uint8Array,
  options: ValidationOptions,
  lists: TrustedLists | undefined,
): Promise<Validation> {
  const first = await validate(pdf, options)
  if (!lists) return first
  // The code of trusted lists takes long to load, and most commands do not need it.
  const { listedAnchors } = await import('../../workers/verification/trust.ts')
  const paths = first.lacking.anchors.map((path) => path.map(({ der }) => der))
  const listed: TrustAnchor[] = listedAnchors(paths, lists)
  if (listed.length === 0) return first
  return validate(pdf, { ...options, trustAnchors: [...options.trustAnchors, ...listed] })
}
