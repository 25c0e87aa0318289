/** Adds samples in curl, TypeScript and Python to the document that `/docs` shows. */
import { curlSample } from './samples/curl.ts'
import { pythonSample } from './samples/python.ts'
import { readRequest, type SampledOperation } from './samples/request.ts'
import { typescriptSample } from './samples/typescript.ts'

export interface CodeSample {
  /** Language for the highlighter. */
  lang: string
  /** What readers choose. */
  label: string
  source: string
}

interface Document {
  servers?: readonly { url: string }[] | undefined
  paths?: object | undefined
}

/** @returns a copy of a document with `x-codeSamples` in each operation; the URLs are absolute */
export function withCodeSamples<D extends Document>(document: D): D {
  const [{ url: baseUrl } = { url: '' }] = document.servers ?? []
  const addSamples = (url: string, method: string, operation: SampledOperation) => {
    const request = readRequest(baseUrl, url, method, operation)
    const samples: CodeSample[] = [
      { lang: 'bash', label: 'curl', source: curlSample(request) },
      { lang: 'typescript', label: 'TypeScript', source: typescriptSample(request) },
      { lang: 'python', label: 'Python', source: pythonSample(request) },
    ]
    return [method, { ...operation, 'x-codeSamples': samples }]
  }
  const paths = Object.entries(document.paths ?? {}).map(([url, path]) => [
    url,
    Object.fromEntries(
      Object.entries(path as Record<string, SampledOperation>).map(([method, operation]) =>
        addSamples(url, method, operation),
      ),
    ),
  ])
  return { ...document, paths: Object.fromEntries(paths) as D['paths'] }
}
