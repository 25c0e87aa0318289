/** Samples in Python, with `sigcase`. */
import { clientCallOf, clientClassOf } from './client-calls.ts'
import { pythonLiteral } from './literals.ts'
import { pathParameters, variableOf, type SampleRequest } from './request.ts'

/** Name in Python: `caseId` is `case_id`. */
const snakeCase = (name: string) => variableOf(name).toLowerCase()

/** Reads the parameters of a request from environment variables. */
const readEnvironment = (names: readonly string[]) =>
  names.map((name) => `${snakeCase(name)} = os.environ["${variableOf(name)}"]`)

/** Writes the imports that the statements need, an empty line and the statements. */
function writeModule(imports: readonly string[], statements: readonly string[]): string {
  const usesOs = statements.some((line) => line.includes('os.'))
  const lines = [...(usesOs ? ['import os'] : []), ...imports]
  return [...lines, '', ...statements].join('\n')
}

/** Writes a module that calls the method of our client for an operation. */
export function pythonSample(request: SampleRequest): string {
  const { baseUrl, target, tokenName, body } = request
  const { python, imports, more = [], exported } = clientCallOf(request)
  const client = clientClassOf(request)
  const values = [
    `"${baseUrl}"`,
    ...(client === 'ParticipantClient' ? ['participant_id'] : []),
    ...(tokenName === undefined ? [] : [`os.environ["${tokenName}"]`]),
  ]
  return writeModule(
    [...(imports ? [imports.python] : []), `from sigcase import ${exported?.python ?? client}`],
    [
      ...readEnvironment([...pathParameters(target), ...more]),
      ...(exported ? [] : [`client = ${client}(${values.join(', ')})`]),
      python.replace('$body', () => pythonLiteral(body)).replaceAll('$baseUrl', () => baseUrl),
    ],
  )
}
