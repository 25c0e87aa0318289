/** A QR code as a picture, dark on white in every theme so that cameras read it. */
import { encode } from 'uqr'

/** Modules around the code, as the standard requires (ISO/IEC 18004, 9.1). */
const BORDER = 4

/** @param label what the code leads to, for screen readers */
export function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER })
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
    .join('')
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  )
}
