/** Evicts pods by the Eviction API, with the PodDisruptionBudgets of the chart. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadAll } from 'js-yaml'
import { HOME_NAMESPACE } from '../../dev/pods/layout.ts'
import { RELEASE } from '../../dev/pods/release.ts'
import { cluster, kubectl, NAMESPACE } from './cases.ts'

const COMPONENTS = ['api', 'controller', 'worker']
/** Kubernetes 1.20 serves budgets and evictions as v1beta1 only. */
const OLD_API = 'policy/v1beta1'

/** Creates the budgets as the chart renders them, at the version that the API server has. */
export async function applyBudgets(): Promise<void> {
  const text = await kubectl.helm(
    ...['template', RELEASE, join(cluster.folder, 'chart'), NAMESPACE],
    ...['--values', join(cluster.folder, 'values.json')],
    ...['--show-only', 'templates/disruption.yaml'],
    ...COMPONENTS.flatMap((name) => ['--set', `${name}.podDisruptionBudget.enabled=true`]),
  )
  const budgets = (loadAll(text) as object[]).map((one) => ({ ...one, apiVersion: OLD_API }))
  await kubectl.apply(...budgets)
}

export async function removeBudgets(): Promise<void> {
  const names = COMPONENTS.map((name) => `${RELEASE}-${name}`)
  await kubectl.run('delete', 'poddisruptionbudgets', NAMESPACE, ...names)
}

/**
 * Asks the API server to evict a pod.
 *
 * @returns whether it did; false when a PodDisruptionBudget forbids it now
 * @throws Error when it refused for another reason
 */
export async function evict(pod: string): Promise<boolean> {
  const metadata = { name: pod, namespace: HOME_NAMESPACE }
  const file = join(cluster.folder, 'eviction.json')
  writeFileSync(file, JSON.stringify({ apiVersion: OLD_API, kind: 'Eviction', metadata }))
  const path = `/api/v1/namespaces/${HOME_NAMESPACE}/pods/${pod}/eviction`
  try {
    await kubectl.run('create', '--raw', path, '--filename', file)
    return true
  } catch (error) {
    if (String(error).includes('disruption budget')) return false
    throw error
  }
}
