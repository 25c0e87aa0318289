/** Generates the files of the clients from the OpenAPI document. */
import { COLLECTION, postmanCollection } from './collection.ts'
import type { OpenApiDocument } from './model.ts'
import { PYTHON_TYPES, pythonTypes } from './python-types.ts'
import { TYPESCRIPT_TYPES, typescriptTypes } from './typescript-types.ts'

/**
 * Builds the generated files of the clients.
 *
 * @param openApi text of `api/openapi.json`
 * @returns paths from the root of the repository, with texts
 */
export async function clientFiles(openApi: string): Promise<[path: string, text: string][]> {
  const document = JSON.parse(openApi) as OpenApiDocument
  return [
    [TYPESCRIPT_TYPES, await typescriptTypes(document)],
    [PYTHON_TYPES, pythonTypes(document)],
    [COLLECTION, postmanCollection(document)],
  ]
}
