/**
 * The program of the process that reads drawings, one after the other. It imports only the reader
 * of drawings, because the whole PDF library would take half a second of CPU time at each start.
 */
import process from 'node:process'
import { acceptDrawing } from '../../pades/appearance/drawing.ts'
import { PadesError } from '../../pades/errors.ts'
import type { DrawingAnswer } from './frames.ts'

function answerTo(encoded: string): DrawingAnswer {
  try {
    const { mediaType, sha256, bytes } = acceptDrawing(encoded)
    // Copies the bytes: a view would send the whole underlying buffer.
    return { drawing: { mediaType, sha256, bytes: Uint8Array.from(bytes) } }
  } catch (error) {
    if (error instanceof PadesError) return { refused: error.message }
    return { broke: error instanceof Error ? `${error.stack}` : String(error) }
  }
}

process.on('message', (encoded: string) => process.send?.(answerTo(encoded)))
// The parent process is gone, so no more requests can arrive.
process.on('disconnect', () => process.exit())
