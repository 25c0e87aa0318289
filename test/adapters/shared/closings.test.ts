import t from 'tap'
import { closeInTurn } from '../../../adapters/shared/closings.ts'

t.test('a part that fails to end keeps none of the others from it', async (t) => {
  const calls: unknown[] = []
  const failure = new Error('would not')
  await closeInTurn(
    [
      async () => void calls.push('first'),
      () => {
        throw failure
      },
      () => Promise.reject(failure),
      () => void calls.push('last'),
    ],
    { warn: (fields, message) => calls.push({ ...fields, message }) },
  )
  const message = 'shutdown step failed'
  t.same(calls, ['first', { err: failure, message }, { err: failure, message }, 'last'])
})
