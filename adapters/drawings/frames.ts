/** Messages between the process that reads drawings and its parent. */
import type { Drawing } from '../../pades/appearance/drawing.ts'

/** The stored parts of a drawing, without its pixels. */
export type KeptDrawing = Pick<Drawing, 'mediaType' | 'bytes' | 'sha256'>

export type DrawingAnswer =
  | { drawing: KeptDrawing }
  /** A sentence for the sender. */
  | { refused: string }
  /** An internal error. */
  | { broke: string }
