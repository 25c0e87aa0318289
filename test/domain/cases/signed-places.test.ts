/** Where a drawing is shown, as the signature and the case say it. */
import t from 'tap'
import { signedPlaces, withoutPageSize } from '../../../domain/cases/signed-places.ts'
import { participant } from '../../fixtures/signature-case.ts'

const rectangle = { page: 1, x: 60, y: 200, width: 120, height: 40, unit: 'pt' as const }
const fields = [
  { id: 'f1', ...rectangle },
  { id: 'f2', ...rectangle, page: 2 },
]
const signer = { ...participant(1), signatureFields: fields }
const chosen = { ...rectangle, page: 3 }

t.test('named fields, chosen rectangles, or all fields', async (t) => {
  const { id: _, ...second } = fields[1]!
  t.same(signedPlaces({ fieldIds: ['f2'], rectangles: [chosen] }, signer), [second])
  t.same(signedPlaces({ rectangles: [chosen] }, signer), [chosen])
  t.same(signedPlaces({}, signer), [rectangle, second])
})

t.test('points of a page as a screen showed it are fractions of the page', async (t) => {
  const pageSize = { width: 1200, height: 1600 }
  const [place] = signedPlaces({ rectangles: [chosen], pageSize }, signer)
  const fraction = { x: 0.05, y: 0.125, width: 0.1, height: 0.025, unit: 'fraction' }
  t.same(withoutPageSize(place!), { page: 3, ...fraction })
  t.same(withoutPageSize(chosen), chosen)
})
