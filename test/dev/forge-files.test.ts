/** The files for a public forge call scripts that exist, with the Node version of the project. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import t from 'tap'
import { ROOT } from '../fixtures/source-tree.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const node = read('.nvmrc').trim()

interface Workflow {
  jobs: Record<string, { container: string; steps: { run?: string }[] }>
}

t.test('workflows call scripts of the repository', async (t) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const exists = (command: string) =>
    command === 'npm ci' ||
    existsSync(join(ROOT, command)) ||
    scripts[/^npm run (\S+)$/.exec(command)?.[1] ?? ''] !== undefined
  const workflows = readdirSync(join(ROOT, '.github/workflows')).map(
    (file) => load(read(`.github/workflows/${file}`)) as Workflow,
  )
  const jobs = workflows.flatMap((workflow) => Object.values(workflow.jobs))
  t.ok(jobs.length >= 3)
  const commands = jobs.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))
  t.strictSame(
    commands.filter((command) => !exists(command)),
    [],
  )
  for (const { container } of jobs) t.equal(container, `node:${node}-bookworm`)
})

t.test('the development container has the Node version of the project', async (t) => {
  const { image } = JSON.parse(read('.devcontainer/devcontainer.json')) as { image: string }
  t.equal(image, `node:${node}-bookworm`)
})

t.test('folders of the owners exist', async (t) => {
  const folders = [...read('.github/CODEOWNERS').matchAll(/ \/([\w./-]+)\//g)].map(
    ([, path = '']) => path,
  )
  t.ok(folders.length > 10)
  t.strictSame(
    folders.filter((folder) => !existsSync(join(ROOT, folder))),
    [],
  )
})
