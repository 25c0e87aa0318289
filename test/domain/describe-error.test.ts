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

t.test('an error of several addresses is described by their errors', async (t) => {
  const errors = ['::1', '127.0.0.1'].map((host) => new Error(`connect ECONNREFUSED ${host}:9`))
  const error = Object.assign(new AggregateError(errors), { code: 'ECONNREFUSED' })
  const message = 'connect ECONNREFUSED ::1:9; connect ECONNREFUSED 127.0.0.1:9'
  t.match(describeError(error), { type: 'AggregateError', message, code: 'ECONNREFUSED' })
  t.match(describeError(new TypeError('fetch failed', { cause: error })), { cause: { message } })
  const named = new AggregateError(errors, 'three tries failed')
  t.equal(describeError(named).message, 'three tries failed')
  const many = new AggregateError(Array.from({ length: 1000 }, () => 'no'))
  t.equal(describeError(many).message, 'no; no; no; no')
  t.equal(describeError(new AggregateError([])).message, '')
})
