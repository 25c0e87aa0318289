/** The eight bytes with which a PNG begins (ISO/IEC 15948, 5.2). */
import { Buffer } from 'node:buffer'

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
