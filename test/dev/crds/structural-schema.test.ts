import { Type } from '@sinclair/typebox'
import t from 'tap'
import { customResourceDefinition } from '../../../dev/crds/definition.ts'
import { CUSTOM_RESOURCES, type CustomResource } from '../../../dev/crds/resources.ts'
import { structuralSchema } from '../../../dev/crds/structural-schema.ts'

const description = 'What it is'
const schemaOf = (schema: object) => structuralSchema(schema as Record<string, unknown>, 'spec', {})

t.test('what the API server would refuse or drop is refused by the generator', async (t) => {
  const bounded = { maxLength: 9, description }
  const refused: [object, RegExp][] = [
    [Type.Union([Type.Literal('a'), Type.Literal('b')], { description }), /keyword anyOf/],
    [Type.Record(Type.String(), Type.String(), { description }), /keyword patternProperties/],
    [Type.Object({}, { additionalProperties: false, description }), /keyword additional/],
    [Type.Array(Type.String(bounded), { uniqueItems: true, description }), /keyword uniqueItems/],
    [Type.Ref('Other', { description }), /keyword \$ref/],
    [Type.String({ maxLength: 9 }), /has no description/],
    [Type.String({ description }), /has no maxLength/],
    [Type.Array(Type.String(bounded), { description }), /has no maxItems/],
    [Type.Object({ inner: Type.String({ maxLength: 9 }) }, { description }), /spec\.inner has no/],
  ]
  for (const [schema, message] of refused) t.throws(() => schemaOf(schema), message)
})

t.test('bounds that JSON Schema writes otherwise are translated', async (t) => {
  t.same(schemaOf(Type.Number({ exclusiveMinimum: 0, description })), {
    type: 'number',
    description,
    minimum: 0,
    exclusiveMinimum: true,
  })
  t.match(schemaOf(Type.String({ format: 'uuid', description })), { maxLength: 36 })
})

t.test('a path of a rule, key or default that names no member is refused', async (t) => {
  const [first] = CUSTOM_RESOURCES as [CustomResource]
  for (const part of ['rules', 'listMapKeys', 'defaults'] as const) {
    const overlay = { [part]: { 'spec.misspelt': [] } }
    t.throws(() => customResourceDefinition({ ...first, overlay }), /no spec\.misspelt/)
  }
})

t.test('every resource has columns, a category and a status of its own', async (t) => {
  t.same(
    CUSTOM_RESOURCES.map((resource) => customResourceDefinition(resource).metadata.name),
    ['signaturecases.sigcase.dev', 'kioskdevices.sigcase.dev', 'tenants.sigcase.dev'],
  )
  for (const resource of CUSTOM_RESOURCES) {
    const { names, versions } = customResourceDefinition(resource).spec
    t.same(names.categories, ['sigcase'])
    t.ok(versions.every((one) => one.additionalPrinterColumns.some(({ name }) => name === 'Age')))
  }
})
