/** Runs in a Deno process without any right: reads one document from its parent and judges it. */
import { Buffer } from 'node:buffer'
import process from 'node:process'
import { assertSignable, displayedSize, inspect, PadesError } from '../../pades/index.ts'
import { LENGTH_BYTES, type SandboxAnswer } from './frames.ts'

async function readDocument(): Promise<Uint8Array> {
  let document: Buffer | undefined
  let head = Buffer.alloc(0)
  let filled = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    let part = chunk
    if (!document) {
      head = Buffer.concat([head, part])
      if (head.length < LENGTH_BYTES) continue
      document = Buffer.alloc(head.readUInt32BE(0))
      part = head.subarray(LENGTH_BYTES)
    }
    filled += part.copy(document, filled)
    if (filled === document.length) return document
  }
  throw new Error('the document ended early')
}

function judge(document: Uint8Array): SandboxAnswer {
  try {
    const inspection = inspect(document)
    assertSignable(inspection)
    return {
      outcome: 'inspected',
      pages: inspection.pages.map(displayedSize),
      carriesSignatures: inspection.signatures > 0,
    }
  } catch (error) {
    if (error instanceof PadesError) {
      return { outcome: 'refused', code: error.code, message: error.message }
    }
    // A document that brings the reader down does so every time: trying again would never end.
    return { outcome: 'broke', fault: error instanceof Error ? `${error.stack}` : String(error) }
  }
}

process.stdout.write(`${JSON.stringify(judge(await readDocument()))}\n`)
