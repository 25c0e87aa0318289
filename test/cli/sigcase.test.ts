/** The program `sigcase`: completion of its commands, and the programs beside it. */
import t from 'tap'
import { runTool } from '../fixtures/run-tool.ts'

t.test('the shell completes the commands', async (t) => {
  const args = ['--get-yargs-completions', 'sigcase', 'cases', '']
  const { stdout } = await runTool('cli/sigcase.ts', args)
  for (const command of ['create', 'list', 'watch', 'timeline']) t.match(stdout, command)
})

t.test('a program beside it gets the rest of the command line', async (t) => {
  const refused = await runTool('cli/sigcase.ts', ['keyring', 'create'])
  t.match(refused, { code: 2, stderr: /give one folder\nusage: sigcase keyring create FOLDER/ })
  const help = await runTool('cli/sigcase.ts', ['verify', '--help'])
  t.match(help, { code: 0, stdout: /^usage: sigcase verify file.pdf/ })
})

/** Prints the address of each module that a program loads to standard error. */
const PRINT_MODULES = `
  import { registerHooks } from 'node:module'
  registerHooks({
    load(url, context, next) {
      console.error(url)
      return next(url, context)
    },
  })`

t.test('a command loads neither the client of Kubernetes nor the doctor', async (t) => {
  const { code, stderr } = await runTool('cli/sigcase.ts', ['cases', '--help'], {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(PRINT_MODULES)}` },
  })
  t.equal(code, 0)
  t.match(stderr, 'cli/sigcase/tenants.ts')
  t.notMatch(stderr, /@kubernetes|cli\/doctor\/doctor\.ts/)
})
