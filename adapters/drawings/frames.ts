/** What a thread that reads drawings and its process say to each other. */
import type { Drawing } from '../../pades/index.ts'

/** What is kept of a drawing: no pixels. */
export type KeptDrawing = Pick<Drawing, 'mediaType' | 'bytes' | 'sha256'>

export type DrawingAnswer =
  | { drawing: KeptDrawing }
  /** A sentence for whoever sent it. */
  | { refused: string }
  /** A fault of ours. */
  | { broke: string }
