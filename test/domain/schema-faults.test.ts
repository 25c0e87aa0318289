import t from 'tap'
import { Type } from '@sinclair/typebox'
import { conformsTo, findSchemaFault } from '../../domain/schema-faults.ts'
import { stringEnum, text, timestamp, uuid } from '../../domain/schema-parts.ts'

const TIMES = ['2026-11-02T09:00:00Z', '2026-11-02t09:00:00.5+01:00']
const NO_TIMES = ['2026-11-02', '2026-13-02T09:00:00Z', 'tomorrow', 5]

t.test('choices and formats are checked', async (t) => {
  const choice = stringEnum(['root', 'issuing'], {})
  t.ok(conformsTo(choice, 'root'))
  t.notOk(conformsTo(choice, 'other'))
  for (const time of TIMES) t.ok(conformsTo(timestamp(''), time), time)
  for (const time of NO_TIMES) t.notOk(conformsTo(timestamp(''), time), String(time))
  t.ok(conformsTo(uuid(''), '3F0C4A52-6F0E-4D8B-9A57-0C1C5A0B7E21'))
  t.notOk(conformsTo(uuid(''), 'one'))
})

t.test('the fault names its place, and texts count in characters', async (t) => {
  const schema = Type.Object({ names: Type.Array(text(2, '')) })
  t.equal(findSchemaFault(schema, { names: ['😀😀'] }), undefined)
  t.equal(findSchemaFault(schema, { names: ['a', '😀😀😀'] })?.path, '/names/1')
  t.equal(findSchemaFault(schema, {})?.path, '/names')
})
