/** What the pods request together, as the installation guide says. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { example, podOf, render, ROOT, withHelm, type Container } from '../../fixtures/chart.ts'

const page = readFileSync(join(ROOT, 'docs/how-to/install-on-a-cluster.md'), 'utf8')

interface Requests {
  cpu: string
  memory: string
}

const requestsOf = ({ resources }: Container) => (resources as { requests: Requests }).requests

/** Reads a quantity with this unit. @throws Error when it has another one */
function quantityOf(text: string, unit: 'm' | 'Mi'): number {
  if (!text.endsWith(unit)) throw new Error(`${text} has another unit than ${unit}`)
  return Number(text.slice(0, -unit.length))
}

await withHelm(() => {
  t.test('the guide says what the pods request with the default values', async (t) => {
    const deployments = render({ values: example('minimal') })
      .filter(({ kind }) => kind === 'Deployment')
      .map((one) => ({
        replicas: (one.spec as { replicas: number }).replicas,
        requests: podOf(one)?.containers.map(requestsOf) ?? [],
      }))
    t.equal(deployments.length, 3, 'API, controller and worker')
    /** @param replicas number of pods of a deployment, which has `given` by default */
    const sum = (replicas: (given: number) => number) => {
      let cpu = 0
      let memory = 0
      for (const one of deployments) {
        for (const requests of one.requests) {
          cpu += replicas(one.replicas) * quantityOf(requests.cpu, 'm')
          memory += replicas(one.replicas) * quantityOf(requests.memory, 'Mi')
        }
      }
      return { cpu: `${cpu}m`, memory: `${memory}Mi` }
    }
    const all = sum((given) => given)
    t.match(page, `the pods request ${all.cpu} CPU and ${all.memory} of memory`)
    const surge = sum(() => 1)
    t.match(page, `requests another ${surge.cpu} and ${surge.memory}`, 'maxSurge is 1')
  })
})
