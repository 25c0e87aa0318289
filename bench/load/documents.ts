/** Reads the PDFs of a load test, and leaves out those that the service refuses. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../cli/usage.ts'
import { makePdf, SMALL } from '../inputs.ts'

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples')
/** `MAXIMUM_DOCUMENT_BYTES` of the contract. */
const MAXIMUM_OCTETS = 25 * 1024 * 1024

export interface Document {
  name: string
  pdf: Uint8Array
}

/**
 * @param folder with PDFs; absent: the contract of the examples, and a generated file of 100 KB
 * @throws UsageError when the folder has none
 */
export function readDocuments(folder?: string): Document[] {
  const paths = readdirSync(folder ?? EXAMPLES).filter((name) => name.endsWith('.pdf'))
  const documents = paths
    .toSorted()
    .map((name) => ({ name, pdf: readFileSync(join(folder ?? EXAMPLES, name)) }))
    .filter(({ pdf }) => pdf.length <= MAXIMUM_OCTETS)
  if (documents.length === 0) throw new UsageError(`there is no PDF in ${folder}`)
  return folder === undefined
    ? [...documents, { name: 'generated', pdf: makePdf(SMALL) }]
    : documents
}

/**
 * Tries each document once, one after the other, which also warms the service up.
 *
 * @param attempt drives a case with the document; rejects when the case does not become DONE
 * @returns those that became DONE, and the names of the others by the message of the failure
 * @throws Error when none did
 */
export async function tryDocuments(
  documents: readonly Document[],
  attempt: (document: Document) => Promise<unknown>,
): Promise<{ usable: Document[]; refused: Record<string, string[]> }> {
  const usable: Document[] = []
  const refused: Record<string, string[]> = {}
  for (const document of documents) {
    await attempt(document).then(
      () => usable.push(document),
      (error: unknown) => {
        const why = error instanceof Error ? error.message : String(error)
        refused[why] = [...(refused[why] ?? []), document.name]
      },
    )
  }
  if (usable.length === 0) {
    throw new Error(`the service accepts none of the documents: ${Object.keys(refused).join('; ')}`)
  }
  return { usable, refused }
}
