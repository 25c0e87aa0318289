/** Samples in Python: with `sigcase`, or with `urllib` for what it does not offer. */
import { CLIENT_CALLS, type ClientCall } from './client-calls.ts'
import { pythonLiteral } from './literals.ts'
import { fillPath, indentLines, pathParameters, variableOf, type SampleRequest } from './request.ts'

const INDENT_WIDTH = 4

/** Name in Python: `caseId` is `case_id`. */
const snakeCase = (name: string) => variableOf(name).toLowerCase()

/** Reads the parameters of a request from environment variables. */
const readEnvironment = (names: readonly string[]) =>
  names.map((name) => `${snakeCase(name)} = os.environ["${variableOf(name)}"]`)

/** Writes the imports that the statements need, an empty line and the statements. */
function writeModule(imports: readonly string[], statements: readonly string[]): string {
  const modules = ['json', 'os'].filter((name) =>
    statements.some((line) => line.includes(`${name}.`)),
  )
  const lines = [...modules.map((name) => `import ${name}`), ...imports]
  return [...lines, '', ...statements].join('\n')
}

function clientSample(request: SampleRequest, call: ClientCall): string {
  const { baseUrl, target, tokenName, body } = request
  const token = tokenName === undefined ? '' : `, os.environ["${tokenName}"]`
  return writeModule(
    [...(call.imports ? [call.imports.python] : []), 'from sigcase import SigcaseClient'],
    [
      ...readEnvironment([...pathParameters(target), ...(call.more ?? [])]),
      `client = SigcaseClient("${baseUrl}"${token})`,
      call.python.replace('$body', () => pythonLiteral(body)),
    ],
  )
}

function kioskSample({ baseUrl, target, tokenName }: SampleRequest): string {
  return writeModule(
    ['from sigcase import KioskListener'],
    [
      ...readEnvironment(pathParameters(target)),
      `token = os.environ["${tokenName}"]`,
      `for event in KioskListener("${baseUrl}", device_id, token):`,
      '    print(event["type"], event["data"])',
    ],
  )
}

function urllibSample({ baseUrl, method, target, tokenName, body }: SampleRequest): string {
  const headers = [
    ...(tokenName === undefined ? [] : [`"Authorization": "Bearer " + os.environ["${tokenName}"]`]),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ]
  const names = pathParameters(target)
  const url = `${baseUrl}${fillPath(target, (name) => `{${snakeCase(name)}}`)}`
  const inner = headers.map((header) => `${' '.repeat(INDENT_WIDTH)}${header},`)
  const members = [
    `${names.length > 0 ? 'f' : ''}"${url}"`,
    ...(method === 'GET' ? [] : [`method="${method}"`]),
    ...(headers.length === 0 ? [] : [['headers={', ...inner, '}'].join('\n')]),
    ...(body === undefined ? [] : ['data=json.dumps(body).encode()']),
  ]
  const lines = members.map((member) => indentLines(`${member},`, INDENT_WIDTH))
  const call = members.length === 1 ? `Request(${members[0]})` : `Request(\n${lines.join('\n')}\n)`
  return writeModule(
    ['from urllib.request import Request, urlopen'],
    [
      ...readEnvironment(names),
      ...(body === undefined ? [] : [`body = ${pythonLiteral(body)}`]),
      `request = ${call}`,
      'with urlopen(request) as answer:',
      '    print(answer.read().decode())',
    ],
  )
}

/** Writes a module that sends a request. */
export function pythonSample(request: SampleRequest): string {
  const { operationId } = request
  if (operationId === 'deviceEvents') return kioskSample(request)
  const call = CLIENT_CALLS[operationId]
  return call ? clientSample(request, call) : urllibSample(request)
}
