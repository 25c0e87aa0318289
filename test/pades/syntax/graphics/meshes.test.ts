/** Meshes whose corners readers find in different places are refused. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { FAULTS } from '../../../../pades/syntax/faults.ts'
import { streamOf, verdictOn } from './painted.ts'
import { drawn, FIRST } from './shown-alike.ts'

const [FREE_FORM, LATTICE, COONS, TENSOR] = [4, 5, 6, 7]
const ENTRIES = {
  ColorSpace: '/DeviceGray',
  BitsPerCoordinate: '8',
  BitsPerComponent: '8',
  BitsPerFlag: '8',
  Decode: '[0 255 0 255 0 1]',
}
const LINEAR = '<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [0] /C1 [1] >>'

function verdictOnMesh(type: number, data: readonly number[], changes = {}): string {
  const entries = Object.entries({ ...ENTRIES, ...changes })
    .map(([key, value]) => `/${key} ${value}`)
    .join(' ')
  const mesh = streamOf(`/ShadingType ${type} ${entries}`, Buffer.from(data))
  return verdictOn(
    drawn({ resources: `/Shading << /S ${FIRST} >>`, content: '/S sh', objects: [mesh] }),
  )
}

/** A corner of a triangle, and the parts of a patch. */
const corner = (flag: number) => [flag, 9, 9, 0]
const patch = (flag: number, points: number, colours: number) => [
  flag,
  ...Array.from({ length: 2 * points + colours }, () => 0),
]
const TRIANGLE = [...corner(0), ...corner(0), ...corner(0)]
const ROWS = { VerticesPerRow: '2' }
const rows = (count: number) => Array.from({ length: count * 2 * 3 }, () => 0)

const TAKEN: Readonly<Record<string, readonly [number, readonly number[], object?]>> = {
  triangles: [FREE_FORM, [...TRIANGLE, ...corner(1), ...corner(2), ...TRIANGLE]],
  'no triangles': [FREE_FORM, []],
  'a linear function': [FREE_FORM, TRIANGLE, { Function: LINEAR }],
  rows: [LATTICE, rows(3), ROWS],
  'rows without flags': [LATTICE, rows(2), { ...ROWS, BitsPerFlag: 'null' }],
  patches: [COONS, [...patch(0, 12, 4), ...patch(3, 8, 2)]],
  'patches with tensors': [TENSOR, [...patch(0, 16, 4), ...patch(1, 12, 2)]],
}
for (const [what, [type, data, changes]] of Object.entries(TAKEN)) {
  t.test(`intake takes a mesh: ${what}`, async (t) =>
    t.equal(verdictOnMesh(type, data, changes), 'accepted'),
  )
}

const REFUSED: Readonly<Record<string, readonly [number, readonly number[], object?]>> = {
  'a triangle that continues nothing': [FREE_FORM, [...corner(1), ...corner(0), ...corner(0)]],
  'a flag that does not exist': [FREE_FORM, [...TRIANGLE, ...corner(3)]],
  'a triangle without a corner': [FREE_FORM, [...TRIANGLE, ...corner(0)]],
  'a corner that is cut off': [FREE_FORM, TRIANGLE.slice(0, -1)],
  'bytes behind the last corner': [FREE_FORM, [...TRIANGLE, 0]],
  'flags of two bits': [FREE_FORM, TRIANGLE, { BitsPerFlag: '2' }],
  'no flags': [FREE_FORM, TRIANGLE, { BitsPerFlag: 'null' }],
  'places of four bits': [FREE_FORM, TRIANGLE, { BitsPerCoordinate: '4' }],
  'colours of twelve bits': [FREE_FORM, TRIANGLE, { BitsPerComponent: '12' }],
  'a background': [FREE_FORM, TRIANGLE, { Background: '[1]' }],
  'a function that is not linear': [
    FREE_FORM,
    TRIANGLE,
    { Function: LINEAR.replace('/N 1', '/N 2') },
  ],
  'arguments beyond the function': [
    FREE_FORM,
    TRIANGLE,
    { Function: LINEAR.replace('[0 1]', '[0.5 1]') },
  ],
  'a palette': [FREE_FORM, TRIANGLE, { ColorSpace: '[/Indexed /DeviceGray 1 (ab)]' }],
  'rows of an unknown length': [LATTICE, rows(3)],
  'rows of one corner': [LATTICE, rows(3), { VerticesPerRow: '1' }],
  'a row that is cut off': [LATTICE, rows(3).slice(0, -3), ROWS],
  'a single row': [LATTICE, rows(1), ROWS],
  'a patch that continues nothing': [COONS, patch(1, 8, 2)],
  'a flag of patches that does not exist': [COONS, [...patch(0, 12, 4), ...patch(4, 8, 2)]],
  'a patch that is cut off': [COONS, patch(0, 12, 3)],
  'a tensor that is cut off': [TENSOR, patch(0, 12, 4)],
}
for (const [what, [type, data, changes]] of Object.entries(REFUSED)) {
  t.test(`intake refuses a mesh: ${what}`, async (t) =>
    t.match(verdictOnMesh(type, data, changes), FAULTS.PATTERN_ODD.text),
  )
}

t.test('a mesh is a stream', async (t) => {
  const entries = '/ShadingType 4 /ColorSpace /DeviceGray /Decode [0 1 0 1 0 1]'
  const resources = `/Shading << /S << ${entries} >> >>`
  t.match(verdictOn(drawn({ resources, content: '/S sh' })), FAULTS.PATTERN_ODD.text)
})
