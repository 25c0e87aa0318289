import t from 'tap'
import { reduceBill } from '../../../dev/image/bill-of-materials.ts'

const DEVELOPMENT = { name: 'cdx:npm:package:development', value: 'true' }
const ALL = {
  metadata: { component: { 'bom-ref': 'sigcase@1.0.0', name: 'folder-of-the-build' } },
  components: [
    { 'bom-ref': 'a@1.0.0', scope: 'required', properties: [] },
    { 'bom-ref': 'b@1.0.0', scope: 'optional', properties: [DEVELOPMENT] },
    { 'bom-ref': 'c@1.0.0', scope: 'required' },
  ],
  dependencies: [
    { ref: 'sigcase@1.0.0', dependsOn: ['a@1.0.0', 'c@1.0.0'] },
    { ref: 'a@1.0.0', dependsOn: ['b@1.0.0', 'c@1.0.0'] },
    { ref: 'b@1.0.0' },
    { ref: 'c@1.0.0', dependsOn: [] },
  ],
}

t.test('the bill of materials lists what is in the image, and nothing else', async (t) => {
  const bill = reduceBill(ALL, ['a@1.0.0', 'b@1.0.0'])
  t.equal(bill.metadata.component.name, 'sigcase')
  t.same(
    bill.components.map((one) => [one['bom-ref'], one.scope, one.properties]),
    [
      ['a@1.0.0', 'required', []],
      ['b@1.0.0', 'required', []],
    ],
    'a tool of the build whose code is in the image is required',
  )
  t.same(bill.dependencies, [
    { ref: 'sigcase@1.0.0', dependsOn: ['a@1.0.0'] },
    { ref: 'a@1.0.0', dependsOn: ['b@1.0.0'] },
    { ref: 'b@1.0.0', dependsOn: [] },
  ])
})

t.test('a package that npm does not list fails the build', async (t) => {
  t.throws(() => reduceBill(ALL, ['a@1.0.0', 'd@1.0.0']), /npm does not list d@1.0.0/)
})
