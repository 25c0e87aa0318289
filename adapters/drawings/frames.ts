/** Messages between the process that reads drawings and the one that asks it. */
import type { Drawing } from '../../pades/index.ts'

/** What is kept of a drawing, which does not include its pixels. */
export type KeptDrawing = Pick<Drawing, 'mediaType' | 'bytes' | 'sha256'>

export type DrawingAnswer =
  | { drawing: KeptDrawing }
  /** A sentence for its sender. */
  | { refused: string }
  /** A fault of ours. */
  | { broke: string }
