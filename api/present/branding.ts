/** The look of a case for its participants. */
import { Buffer } from 'node:buffer'
import type { BrandingAnswer } from '../../domain/contract/participant-answers.ts'
import type { TenantLook } from '../../domain/ports/branding.ts'

/** @param senderName of the case */
export function presentBranding(
  { colours, logo }: TenantLook,
  senderName: string | undefined,
): BrandingAnswer {
  return {
    ...(senderName !== undefined && { sender: { name: senderName } }),
    ...(colours && { colours }),
    ...(logo && {
      logo: {
        url: `data:${logo.mediaType};base64,${Buffer.from(logo.bytes).toString('base64')}`,
        width: logo.width,
        height: logo.height,
      },
    }),
  }
}
