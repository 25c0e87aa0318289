/** Changes of the file structure, all classes together (ISO 32000-2, 7.5). */
import { CROSS_REFERENCE_CHANGES } from './cross-reference-changes.ts'
import type { Change } from './object-changes.ts'
import { OBJECT_STREAM_CHANGES } from './object-stream-changes.ts'
import { TRAILER_CHANGES } from './trailer-changes.ts'

/** Changes by class name. */
export const FILE_CHANGES: Readonly<Record<string, Change>> = {
  ...OBJECT_STREAM_CHANGES,
  ...CROSS_REFERENCE_CHANGES,
  ...TRAILER_CHANGES,
}
