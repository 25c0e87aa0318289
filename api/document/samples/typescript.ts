/** Samples in TypeScript, with `@sigcase/client`. */
import { clientCallOf, clientClassOf } from './client-calls.ts'
import { typescriptLiteral } from './literals.ts'
import { pathParameters, variableOf, type SampleRequest } from './request.ts'

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

/** Writes a module that calls the method of our client for an operation. */
export function typescriptSample(request: SampleRequest): string {
  const { baseUrl, tokenName, body } = request
  const { typescript, imports, more, exported } = clientCallOf(request)
  const client = clientClassOf(request)
  const members = [
    `baseUrl: '${baseUrl}'`,
    ...(client === 'ParticipantClient' ? ['participantId'] : []),
    ...(tokenName === undefined ? [] : ['token']),
  ]
  return [
    ...(imports ? [imports.typescript] : []),
    `import { ${exported?.typescript ?? client} } from '@sigcase/client'`,
    '',
    ...readEnvironment(constantsOf(request, more)),
    ...(exported ? [] : [`const client = new ${client}({ ${members.join(', ')} })`]),
    typescript
      .replace('$body', () => typescriptLiteral(body))
      .replaceAll('$baseUrl', () => baseUrl),
  ].join('\n')
}
