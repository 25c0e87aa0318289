/** The chart with versions that have build metadata, as pipelines number their builds. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadAll } from 'js-yaml'
import t from 'tap'
import {
  CHART,
  example,
  helm,
  podOf,
  withHelm,
  type Manifest,
  type Metadata,
} from '../../fixtures/chart.ts'

const VERSION = `1.2.3-main.20261129+build.${'0123456789abcdef'.repeat(4)}`
/** Values of labels in Kubernetes. */
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/
/** References of images with a tag: distribution/reference. */
const TAGGED = /^[^:]+:\w[\w.-]{0,127}$/

const podLabels = ({ spec }: Manifest) =>
  (spec as { template?: { metadata?: Metadata } } | undefined)?.template?.metadata?.labels ?? {}

await withHelm(() => {
  t.test('labels and image tags of such a version are ones that Kubernetes accepts', async (t) => {
    const chart = join(t.testdir(), 'sigcase')
    cpSync(CHART, chart, { recursive: true })
    const file = join(chart, 'Chart.yaml')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replaceAll(/^(version|appVersion): .*$/gm, `$1: ${VERSION}`))
    const args = ['--kube-version', '1.36.0', '--values', example('trial')]
    const { stdout, stderr } = helm('template', 'sigcase', chart, ...args)
    t.equal(stderr, '')
    const manifests = (loadAll(stdout) as (Manifest | null)[]).filter((one) => one !== null)
    t.ok(manifests.length > 0)
    for (const one of manifests) {
      const labels = { ...one.metadata.labels, ...podLabels(one) }
      for (const [name, value] of Object.entries(labels)) {
        t.match(value, LABEL, `${one.kind} ${one.metadata.name}: ${name}`)
      }
      for (const { image } of podOf(one)?.containers ?? []) t.match(image, TAGGED)
    }
  })
})
