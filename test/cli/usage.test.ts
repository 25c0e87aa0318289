import t from 'tap'
import process from 'node:process'
import { calledFrom, nameCommand } from '../../cli/usage.ts'

t.test('paths start where npm was called, and only when it was npm that called', async (t) => {
  const called = { npm_lifecycle_event: 'demo', INIT_CWD: '/elsewhere' }
  t.equal(calledFrom('demo', called), '/elsewhere')
  t.equal(calledFrom('token', called), process.cwd())
  const bySigcase = { npm_lifecycle_event: 'sigcase', INIT_CWD: '/elsewhere' }
  t.equal(calledFrom('verify', bySigcase), '/elsewhere')
  t.equal(calledFrom('demo', {}), process.cwd())
})

t.test('usage names the command as it was called, once', async (t) => {
  const own = 'usage: npm run --silent sigcase -- archive --tenant <name>'
  t.equal(nameCommand(own, '/app/cli/sigcase.ts'), 'usage: sigcase archive --tenant <name>')
  t.match(nameCommand(own, '/app/runtime/dist/sigcase.js'), /^usage: sigcase archive /)
  t.equal(nameCommand(own, '/app/cli/archive.ts'), own)
  const script = 'usage: npm run --silent erase -- --tenant <name>'
  t.equal(nameCommand(script, '/usr/bin/sigcase'), 'usage: sigcase erase --tenant <name>')
})
