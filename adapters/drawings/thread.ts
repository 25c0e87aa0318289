/** Runs in a thread: reads one drawing after the other, as they come. */
import { parentPort } from 'node:worker_threads'
import { acceptDrawing, PadesError } from '../../pades/index.ts'
import type { DrawingAnswer } from './frames.ts'

function answerTo(encoded: string): DrawingAnswer {
  try {
    const { mediaType, sha256, bytes } = acceptDrawing(encoded)
    // A view on larger memory would take all of that along.
    return { drawing: { mediaType, sha256, bytes: Uint8Array.from(bytes) } }
  } catch (error) {
    if (error instanceof PadesError) return { refused: error.message }
    return { broke: error instanceof Error ? `${error.stack}` : String(error) }
  }
}

parentPort?.on('message', (encoded: string) => parentPort?.postMessage(answerTo(encoded)))
