/** Samples in TypeScript: with `@sigcase/client`, or with `fetch` for what it does not offer. */
import { CLIENT_CALLS, type ClientCall } from './client-calls.ts'
import { typescriptLiteral } from './literals.ts'
import { fillPath, indentLines, pathParameters, variableOf, type SampleRequest } from './request.ts'

const MEMBERS_ON_A_LINE = 2

/** Declares constants with the values of environment variables. */
function readEnvironment(constants: ReadonlyMap<string, string>): string[] {
  const members = [...constants].map(([name, variable]) => `${variable}: ${name} = ''`)
  if (members.length === 0) return []
  if (members.length <= MEMBERS_ON_A_LINE) return [`const { ${members.join(', ')} } = process.env`]
  return ['const {', ...members.map((member) => `  ${member},`), '} = process.env']
}

/** Environment variables by the names of the constants that hold them. */
const constantsOf = ({ target, tokenName }: SampleRequest, more: readonly string[] = []) =>
  new Map([
    ...(tokenName === undefined ? [] : [['token', tokenName] as const]),
    ...[...pathParameters(target), ...more].map((name) => [name, variableOf(name)] as const),
  ])

function clientSample(request: SampleRequest, { typescript, imports, more }: ClientCall): string {
  const { baseUrl, tokenName, body } = request
  return [
    ...(imports ? [imports.typescript] : []),
    `import { SigcaseClient } from '@sigcase/client'`,
    '',
    ...readEnvironment(constantsOf(request, more)),
    `const client = new SigcaseClient({ baseUrl: '${baseUrl}'${tokenName ? ', token' : ''} })`,
    typescript.replace('$body', () => typescriptLiteral(body)),
  ].join('\n')
}

function kioskSample(request: SampleRequest): string {
  return [
    `import { listenKiosk } from '@sigcase/client'`,
    '',
    ...readEnvironment(constantsOf(request)),
    `const channel = listenKiosk({ baseUrl: '${request.baseUrl}', deviceId, token })`,
    'for await (const { type, data } of channel) console.log(type, data)',
  ].join('\n')
}

function fetchSample(request: SampleRequest): string {
  const { baseUrl, method, target, tokenName, body } = request
  const headers = [
    ...(tokenName === undefined ? [] : ['Authorization: `Bearer ${token}`']),
    ...(body === undefined ? [] : [`'Content-Type': 'application/json'`]),
  ]
  const members = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} },`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${typescriptLiteral(body)}),`]),
  ]
  const quote = target.includes('{') ? '`' : "'"
  const url = `${quote}${baseUrl}${fillPath(target, (name) => `\${${name}}`)}${quote}`
  const options = members.length === 0 ? '' : `, {\n${indentLines(members.join('\n'), 2)}\n}`
  return [
    ...readEnvironment(constantsOf(request)),
    `const answer = await fetch(${url}${options})`,
    'if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)',
    'console.log(await answer.text())',
  ].join('\n')
}

/** Writes a module that sends a request. */
export function typescriptSample(request: SampleRequest): string {
  const { operationId } = request
  if (operationId === 'deviceEvents') return kioskSample(request)
  const call = CLIENT_CALLS[operationId]
  return call ? clientSample(request, call) : fetchSample(request)
}
