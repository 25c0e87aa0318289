import t from 'tap'
import { closeInTurn } from '../../../adapters/shared/closings.ts'

t.test('a part that fails to end keeps none of the others from it', async (t) => {
  const told: unknown[] = []
  const failure = new Error('would not')
  await closeInTurn(
    [
      async () => void told.push('first'),
      () => {
        throw failure
      },
      () => Promise.reject(failure),
      () => void told.push('last'),
    ],
    { warn: (fields, message) => told.push({ ...fields, message }) },
  )
  const message = 'shutdown step failed'
  t.same(told, ['first', { err: failure, message }, { err: failure, message }, 'last'])
})
