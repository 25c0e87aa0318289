/** The chart sets exactly the environment variables that the processes read. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import {
  readApiConfig,
  readControllerConfig,
  readWorkerConfig,
} from '../../../runtime/config/processes.ts'
import { ConfigError, type Environment } from '../../../runtime/config/reader.ts'
import {
  exampleFiles,
  find,
  podOf,
  render,
  ROOT,
  withHelm,
  type Container,
  type Manifest,
  type PodSpec,
} from '../../fixtures/chart.ts'

const READERS = {
  api: readApiConfig,
  controller: readControllerConfig,
  worker: readWorkerConfig,
} as const
type Component = keyof typeof READERS

/** All pods get their namespace and name; only the controller uses them. */
const OF_EVERY_POD = ['POD_NAMESPACE', 'POD_NAME']
/** The client of Google reads it by itself. */
const READ_BY_LIBRARIES = ['GOOGLE_APPLICATION_CREDENTIALS']
/** Such files are there in the pod alone. */
const OF_MOUNTED_FILES = /\/etc\/sigcase\//
/** What Secrets hold. */
const OF_SECRETS: Readonly<Record<string, string>> = {
  REDIS_URL: 'rediss://:password@redis.example:6379',
  INDEX_URL: 'postgres://user:password@db.example/sigcase',
  SMTP_USER: 'user',
  SMTP_PASSWORD: 'password',
  SMS_GATEWAY_URL: 'https://sms.example/send',
  SMS_GATEWAY_TOKEN: 'token',
  POD_NAMESPACE: 'sigcase-system',
  POD_NAME: 'sigcase-controller-1',
}

/** With what Secrets and the pod add. */
function environmentOf(manifests: readonly Manifest[], component: Component): Environment {
  const pod = podOf(find(manifests, 'Deployment', `sigcase-${component}`)) as PodSpec
  const [container] = pod.containers as [Container]
  const { data } = find(manifests, 'ConfigMap', 'sigcase-environment')
  const own = (container.env ?? []).map(({ name, value }) => [name, value ?? OF_SECRETS[name]])
  return { ...(data as Record<string, string>), ...Object.fromEntries(own) }
}

/** @returns the names that were asked for, and the faults that were found */
function read(component: Component, environment: Environment) {
  const asked = new Set<string>()
  const watched = new Proxy(environment, {
    get(target, name) {
      asked.add(String(name))
      return target[String(name)]
    },
  })
  try {
    READERS[component](watched)
    return { asked, faults: [] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const [, ...faults] = error.message.trim().split('\n')
    return { asked, faults }
  }
}

await withHelm(() => {
  const cases = exampleFiles().map((values) => {
    return { name: values.split('/').at(-1) as string, manifests: render({ values }) }
  })
  const components = Object.keys(READERS) as Component[]

  t.test('every variable that the chart sets is read', async (t) => {
    for (const { name, manifests } of cases) {
      for (const component of components) {
        const environment = environmentOf(manifests, component)
        const { asked } = read(component, environment)
        const known = new Set([...asked, ...OF_EVERY_POD, ...READ_BY_LIBRARIES])
        const unread = Object.keys(environment).filter((variable) => !known.has(variable))
        t.same(unread, [], `${name}: ${component}`)
      }
    }
  })

  t.test('every value that the chart sets can be used', async (t) => {
    for (const { name, manifests } of cases) {
      for (const component of components) {
        const { faults } = read(component, environmentOf(manifests, component))
        const others = faults.filter((fault) => !OF_MOUNTED_FILES.test(fault))
        t.same(others, [], `${name}: ${component}`)
      }
    }
  })

  t.test('every variable that a process of a cluster reads is in the reference', async (t) => {
    const page = readFileSync(join(ROOT, 'docs/reference/configuration.md'), 'utf8')
    const full = cases.find(({ name }) => name.startsWith('full'))
    for (const component of components) {
      const environment = environmentOf(full?.manifests ?? [], component)
      const all = [environment, {}].flatMap((one) => [...read(component, one).asked])
      t.same(all.filter((variable) => !page.includes(`\`${variable}\``)), [], component)
    }
  })

  t.test('both who meet addresses that others chose know which may be private', async (t) => {
    const full = cases.find(({ name }) => name.startsWith('full'))
    for (const component of ['api', 'worker'] as const) {
      t.equal(environmentOf(full?.manifests ?? [], component).EGRESS_ALLOW, '10.1.2.3')
    }
  })
})
