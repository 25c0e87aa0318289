/** The types of the schema, with their fields and arguments. */
import {
  isEnumType,
  isInputObjectType,
  isObjectType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql'
import { useGraphqlTexts } from './use-graphql-texts.ts'

/** Types at which reading begins. */
const ROOTS = new Set(['Query', 'Subscription'])

function signatureOf({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const list = args.map((argument) => `${argument.name}: ${argument.type}`).join(', ')
  return `${name}${list === '' ? '' : `(${list})`}: ${type}`
}

function linesOf(type: GraphQLNamedType): string[] {
  if (isObjectType(type)) return Object.values(type.getFields()).map(signatureOf)
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).map(({ name, type: inner }) => `${name}: ${inner}`)
  }
  return isEnumType(type) ? type.getValues().map(({ name }) => name) : []
}

/** Lists the types; the roots are open. */
export function SchemaPane({ schema }: { schema: GraphQLSchema | undefined }) {
  const texts = useGraphqlTexts()
  const types = Object.values(schema?.getTypeMap() ?? {})
    .filter(({ name }) => !name.startsWith('__'))
    .map((type) => ({ name: type.name, lines: linesOf(type) }))
    .filter(({ lines }) => lines.length > 0)
    .toSorted((a, b) => Number(ROOTS.has(b.name)) - Number(ROOTS.has(a.name)))
  return (
    <section class="schema stack tight">
      <h2>{texts.schema}</h2>
      {schema ? null : <p class="quiet">{texts.schemaNeedsToken}</p>}
      {types.map(({ name, lines }) => (
        <details key={name} open={ROOTS.has(name)}>
          <summary translate={false}>{name}</summary>
          <ul translate={false}>
            {lines.map((line) => (
              <li key={line}>
                <code>{line}</code>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  )
}
