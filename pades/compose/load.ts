/**
 * Loads the composer with the first document: its library takes longer to load than signing takes.
 */
import type * as Composer from './compose.ts'
import type { DocumentContent } from './model.ts'

let composer: Promise<typeof Composer> | undefined

/** As `composeDocument` of `compose.ts`. */
export async function composeDocument(content: DocumentContent): Promise<Uint8Array> {
  composer ??= import('./compose.ts')
  return (await composer).composeDocument(content)
}
