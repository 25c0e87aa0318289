/** Shows the signing link as a QR code, for people who want to draw with a finger. */
import { Dialog } from '../design/parts.tsx'
import { Qr } from '../design/qr.tsx'
import { ownWindowUrl } from '../lib/frame.ts'
import { useTexts } from '../texts/use-texts.ts'

/** A device with a mouse and a screen of its own. */
const DESKTOP = '(hover: hover) and (pointer: fine) and (min-width: 800px)'

/** Whether another device would help: a phone needs no code for itself. */
export const hasPhoneLink = (): boolean => window.matchMedia(DESKTOP).matches

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
      <Qr text={url} label={texts.phoneCode} />
      <p class="quiet small">{texts.phonePersonal}</p>
    </Dialog>
  )
}
