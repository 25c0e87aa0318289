import t from 'tap'
import { describeError } from '../../domain/describe-error.ts'

t.test('queries of URLs do not enter the log', async (t) => {
  const error = new Error("PUT 'https://x.example/a?X-Goog-Signature=secret' failed")
  error.cause = new Error('https://x.example/b?token=secret')
  const described = describeError(error)
  t.equal(described.message, "PUT 'https://x.example/a?…' failed")
  t.equal(described.cause?.message, 'https://x.example/b?…')
  t.notMatch(JSON.stringify(described), 'secret')
})

t.test('codes and a bounded chain of causes are described', async (t) => {
  const first = Object.assign(new Error('connection ended'), { code: 'ECONNRESET' })
  let error: Error = first
  for (let depth = 1; depth <= 10; depth += 1) error = new Error(`${depth}`, { cause: error })
  t.equal(describeError(first).code, 'ECONNRESET')
  let causes = 0
  for (let one = describeError(error).cause; one; one = one.cause) causes += 1
  t.equal(causes, 4)
})

t.test('a thrown value that is not an error is described as one', async (t) => {
  t.match(describeError('refused'), { type: 'Error', message: 'refused', stack: String })
})
