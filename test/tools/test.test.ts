/** `npm test`: says how it is called, and that nothing was found. */
import t from 'tap'
import { runTool } from './run-tool.ts'

t.setTimeout(120_000)

t.test('--help tells the usage and runs nothing', async (t) => {
  const { code, stdout } = await runTool('test.ts', ['--help'])
  t.equal(code, 0)
  t.match(stdout, /^usage: npm test /)
})

t.test('a part of a path that no test has is a failure with its reason', async (t) => {
  const { code, stdout } = await runTool('test.ts', ['no-such-test'])
  t.equal(code, 1)
  t.match(stdout, /no test is at no-such-test\n0 passed, 0 failed\n$/)
})

t.test('an unknown option is refused', async (t) => {
  const { code, stderr } = await runTool('test.ts', ['--wait'])
  t.equal(code, 2)
  t.match(stderr, /--wait.*\nusage: npm test /s)
})
