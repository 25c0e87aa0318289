/**
 * Loads the composer with the first document: its library takes longer to load than signing takes.
 */
import type { DocumentContent } from './model.ts'

/** As `composeDocument` of `compose.ts`. */
export async function composeDocument(content: DocumentContent): Promise<Uint8Array> {
  const composer = await import('./compose.ts')
  return composer.composeDocument(content)
}
