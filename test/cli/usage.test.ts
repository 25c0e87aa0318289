import t from 'tap'
import process from 'node:process'
import { calledFrom } from '../../cli/usage.ts'

t.test('paths start where npm was called, and only when it was npm that called', async (t) => {
  const called = { npm_lifecycle_event: 'demo', INIT_CWD: '/elsewhere' }
  t.equal(calledFrom('demo', called), '/elsewhere')
  t.equal(calledFrom('token', called), process.cwd())
  const bySigcase = { npm_lifecycle_event: 'sigcase', INIT_CWD: '/elsewhere' }
  t.equal(calledFrom('verify', bySigcase), '/elsewhere')
  t.equal(calledFrom('demo', {}), process.cwd())
})
