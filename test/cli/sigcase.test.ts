/** The program `sigcase`: completion of its commands, and the programs beside it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runTool } from '../fixtures/run-tool.ts'

t.test('the shell completes the commands', async (t) => {
  const args = ['--get-yargs-completions', 'sigcase', 'cases', '']
  const { stdout } = await runTool('cli/sigcase.ts', args)
  for (const command of ['create', 'list', 'watch', 'timeline']) t.match(stdout, command)
})

t.test('the completion script is printed without a failure', async (t) => {
  for (const args of [[], ['bash'], ['zsh']]) {
    const result = await runTool('cli/sigcase.ts', ['completion', ...args], {
      env: { SHELL: '/bin/bash', ZSH_NAME: args[0] === 'bash' ? 'zsh' : '' },
    })
    t.match(result, { code: 0, stdout: '###-begin-sigcase-completions-###', stderr: '' })
    t.equal(result.stdout.includes('#compdef sigcase'), args[0] === 'zsh', args[0])
  }
  t.match(await runTool('cli/sigcase.ts', ['completion', 'fish']), { code: 2, stdout: '' })
})

t.test('a cluster that does not answer has a remedy', async (t) => {
  const config = join(t.testdir(), 'config')
  writeFileSync(
    config,
    JSON.stringify({
      clusters: [{ name: 'away', cluster: { server: 'https://127.0.0.1:1' } }],
      users: [{ name: 'me', user: {} }],
      contexts: [{ name: 'staging', context: { cluster: 'away', user: 'me' } }],
      'current-context': 'staging',
    }),
  )
  const { code, stderr } = await runTool('cli/sigcase.ts', ['tenant', 'list'], {
    env: { KUBECONFIG: config },
  })
  t.equal(code, 1)
  for (const part of ['https://127.0.0.1:1', 'staging', 'KUBECONFIG', 'kubectl config']) {
    t.match(stderr, part)
  }
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
