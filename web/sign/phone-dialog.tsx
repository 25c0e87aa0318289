/** Shows the signing link as a QR code, for people who want to draw with a finger. */
import { encode } from 'uqr'
import { Dialog } from '../design/parts.tsx'
import { ownWindowUrl } from '../lib/frame.ts'
import { useTexts } from '../texts/use-texts.ts'

/** A device with a mouse and a screen of its own. */
const DESKTOP = '(hover: hover) and (pointer: fine) and (min-width: 800px)'
/** Modules of light around the code (ISO/IEC 18004, 6.3.8). */
const QUIET_ZONE = 4

/** Whether another device would help: a phone needs no code for itself. */
export const hasPhoneLink = (): boolean => window.matchMedia(DESKTOP).matches

/** The dark modules as one path, row by row. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
}

/** A QR code of a text, as vectors. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'L', border: QUIET_ZONE })
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={pathOf(data)} fill="#000" shape-rendering="crispEdges" />
    </svg>
  )
}

/**
 * The code is the link itself: the phone opens a visit of its own, with the code or PIN of the case
 * again.
 */
export function PhoneDialog({ onClose }: { onClose(): void }) {
  const texts = useTexts()
  const url = new URL(ownWindowUrl(), window.location.origin).href
  return (
    <Dialog heading={texts.phone} onClose={onClose}>
      <p>{texts.phoneText}</p>
      <QrCode text={url} label={texts.phoneCode} />
      <p class="quiet small">{texts.phonePersonal}</p>
    </Dialog>
  )
}
