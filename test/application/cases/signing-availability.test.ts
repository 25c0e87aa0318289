/** Signing is not available while results of workers are missing or cannot be read. */
import t from 'tap'
import { canaryState } from '../../../application/cases/signing-availability.ts'
import { CANARY_KEY, intakeKey } from '../../../domain/cases/keys.ts'
import { NOW, testApi } from '../../fixtures/api.ts'
import { CASE_KEY, participant } from '../../fixtures/signature-case.ts'

const ODD = ['', '{', 'null', '[]', '{"outcome":"accepted"}', '{"outcome":"passed"}']
const UNAVAILABLE = { code: 'SIGNING_UNAVAILABLE' }
const octetsOf = (text: string) => new TextEncoder().encode(text)

t.test('a canary that cannot be read counts as absent', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  const deps = { objects: api.objects, now: () => new Date(NOW) }
  for (const odd of ODD) {
    api.objects.upload(CANARY_KEY, octetsOf(odd), 'application/json')
    t.same(await canaryState(deps), { outcome: 'absent' }, odd)
    t.match((await api.sign(1)).json(), UNAVAILABLE, odd)
  }
})

t.test('signing waits for a verdict of intake that can be read', async (t) => {
  const api = await testApi(t)
  const free = [1, 2].map((number) => participant(number, { signatureFields: [] }))
  api.seed({ phase: 'IN_PROGRESS', participants: free })
  const signatures = [{ page: 1, x: 100, y: 100, width: 200, height: 60, unit: 'pt' }]
  for (const odd of ODD) {
    api.objects.upload(intakeKey(CASE_KEY), octetsOf(odd), 'application/json')
    t.match((await api.sign(1, { signatures })).json(), UNAVAILABLE, odd)
  }
  await api.objects.delete(intakeKey(CASE_KEY))
  t.match((await api.sign(1, { signatures })).json(), UNAVAILABLE, 'missing')
})
