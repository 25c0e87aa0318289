/** A QR code as a vector picture, dark on white in every theme so that cameras read it. */
import { encode } from 'uqr'

/** Light modules around the code, as the standard requires (ISO/IEC 18004, 6.3.8). */
const QUIET_ZONE = 4

/** The dark modules as one path, row by row. */
const pathOf = (rows: readonly (readonly boolean[])[]): string =>
  rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')

/**
 * Shows a text as a QR code.
 *
 * @param label what the code leads to, for screen readers
 */
export function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'L', border: QUIET_ZONE })
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={pathOf(data)} fill="#000" shape-rendering="crispEdges" />
    </svg>
  )
}
