/** `skaffold.yaml` by Skaffold's schema, and by what the Dockerfile and the chart have. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import t from 'tap'
import { CHART, example, podOf, render, ROOT, withHelm, type PodSpec } from '../fixtures/chart.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** Members that Skaffold's schema v4beta11 has, of the parts that this repository uses. */
const SKAFFOLD_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  '': ['apiVersion', 'kind', 'metadata', 'build', 'deploy'],
  metadata: ['name', 'labels', 'annotations'],
  build: ['artifacts', 'tagPolicy', 'platforms', 'local', 'insecureRegistries'],
  'build.artifacts': ['image', 'context', 'docker', 'sync', 'hooks', 'platforms', 'requires'],
  'build.artifacts.docker': ['dockerfile', 'target', 'buildArgs', 'noCache', 'cacheFrom'],
  deploy: ['helm', 'kubeContext', 'logs', 'statusCheck'],
  'deploy.helm': ['releases', 'flags', 'hooks'],
  'deploy.helm.releases': [
    ...['name', 'chartPath', 'remoteChart', 'version', 'namespace', 'createNamespace'],
    ...['valuesFiles', 'setValues', 'setValueTemplates', 'wait', 'upgradeOnChange'],
  ],
}
/** Types that the schema gives to members that this repository uses; `!` marks required ones. */
const SKAFFOLD_TYPES: Readonly<Record<string, string>> = {
  'metadata.name': 'string',
  'build.artifacts': 'array',
  'build.artifacts.image': 'string!',
  'build.artifacts.docker': 'object',
  'build.artifacts.docker.dockerfile': 'string',
  'build.artifacts.docker.target': 'string',
  'deploy.helm.releases': 'array',
  'deploy.helm.releases.name': 'string!',
  'deploy.helm.releases.chartPath': 'string',
  'deploy.helm.releases.namespace': 'string',
  'deploy.helm.releases.createNamespace': 'boolean',
  'deploy.helm.releases.valuesFiles': 'array',
}

/** Lists the members of an object that the table does not have, by their paths. */
function unknownMembers(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => unknownMembers(one, path))
  const known = SKAFFOLD_MEMBERS[path]
  if (known === undefined || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const place = path === '' ? name : `${path}.${name}`
    return known.includes(name) ? unknownMembers(member, place) : [place]
  })
}

const typeOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value)

/** Lists the members whose type the schema does not allow, and required ones that are missing. */
function wrongTypes(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => wrongTypes(one, path))
  if (typeof value !== 'object' || value === null) return []
  const members = value as Record<string, unknown>
  const prefix = path === '' ? '' : `${path}.`
  const wrong = Object.entries(SKAFFOLD_TYPES)
    .filter(([place]) => place.slice(0, place.lastIndexOf('.') + 1) === prefix)
    .filter(([place, type]) => {
      const member = members[place.slice(prefix.length)]
      if (member === undefined) return type.endsWith('!')
      return typeOf(member) !== type.replace('!', '')
    })
    .map(([place]) => place)
  return [
    ...wrong,
    ...Object.entries(members).flatMap(([name, member]) => wrongTypes(member, prefix + name)),
  ]
}

t.test('members of skaffold.yaml have the types of its schema', async (t) => {
  t.same(wrongTypes(load(read('skaffold.yaml'))), [])
  const releases = [{ chartPath: 1, createNamespace: 'true', valuesFiles: 'values.yaml' }]
  const wrong = ['name', 'chartPath', 'createNamespace', 'valuesFiles']
  t.same(
    wrongTypes({ build: { artifacts: [{}] }, deploy: { helm: { releases } } }),
    ['build.artifacts.image', ...wrong.map((name) => `deploy.helm.releases.${name}`)],
  )
})

t.test('skaffold.yaml has only members of its schema', async (t) => {
  const config = load(read('skaffold.yaml')) as { apiVersion: string; kind: string }
  t.equal(config.apiVersion, 'skaffold/v4beta11')
  t.equal(config.kind, 'Config')
  t.same(unknownMembers(config), [])
  t.same(unknownMembers({ deploy: { helm: { release: [] } } }), ['deploy.helm.release'])
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
      t.match(read('Dockerfile'), ` AS ${docker.target}\n`, `${docker.target} is a stage`)
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
