/** Objects of the chart that choose pods by labels: each chooses those it is meant for. */
import t from 'tap'
import {
  example,
  exampleFiles,
  find,
  podOf,
  render,
  withHelm,
  type Manifest,
} from '../../fixtures/chart.ts'

type Labels = Record<string, string>

const isChosen = (labels: Labels, selector: Labels) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value)

function podLabels({ kind, metadata, spec }: Manifest): Labels {
  const { template } = (spec ?? {}) as { template?: { metadata?: { labels?: Labels } } }
  return (kind === 'Pod' ? metadata.labels : template?.metadata?.labels) ?? {}
}

/** `matchLabels` of what chooses pods, by kind. */
function selectorOf({ kind, spec }: Manifest): Labels | undefined {
  const { selector, podSelector } = (spec ?? {}) as {
    selector?: Labels & { matchLabels?: Labels }
    podSelector?: { matchLabels: Labels }
  }
  if (kind === 'Service') return selector as Labels
  if (kind === 'NetworkPolicy') return podSelector?.matchLabels
  if (kind === 'Deployment' || kind === 'PodDisruptionBudget') return selector?.matchLabels
  return undefined
}

await withHelm(() => {
  t.test('what chooses pods chooses those of one Deployment', async (t) => {
    for (const values of exampleFiles()) {
      const manifests = render({ values })
      const withPods = manifests.filter((one) => podOf(one) !== undefined)
      for (const one of manifests) {
        const selector = selectorOf(one)
        if (!selector) continue
        const chosen = withPods.filter((pods) => isChosen(podLabels(pods), selector))
        const component = one.metadata.name.replace(/-metrics$/, '')
        t.same(
          chosen.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
          [`Deployment ${component}`],
          `${one.kind} ${one.metadata.name}`,
        )
      }
    }
  })

  t.test('a new version of the chart keeps the selectors, which cannot change', async (t) => {
    const deployments = (set: string[]) =>
      render({ values: example('minimal'), set }).filter(({ kind }) => kind === 'Deployment')
    const before = deployments([]).map(selectorOf)
    for (const selector of before) {
      t.same(Object.keys(selector ?? {}).sort(), [
        'app.kubernetes.io/component',
        'app.kubernetes.io/instance',
        'app.kubernetes.io/name',
      ])
    }
    t.same(deployments(['images.node.tag=v9', 'api.replicas=5']).map(selectorOf), before)
  })

  t.test('a scaled Deployment leaves the number of pods to the autoscaler', async (t) => {
    const manifests = render({ values: example('full') })
    for (const name of ['sigcase-api', 'sigcase-worker']) {
      t.notOk('replicas' in (find(manifests, 'Deployment', name).spec as object), name)
      t.match(find(manifests, 'HorizontalPodAutoscaler', name).spec, { scaleTargetRef: { name } })
    }
    t.match(find(manifests, 'Deployment', 'sigcase-controller').spec, { replicas: 2 })
  })

  t.test('a changed environment brings new pods', async (t) => {
    const checksum = (set: string[]) => {
      const manifests = render({ values: example('minimal'), set })
      const { spec } = find(manifests, 'Deployment', 'sigcase-api')
      return (spec as { template: { metadata: { annotations: Labels } } }).template.metadata
        .annotations['checksum/environment']
    }
    t.equal(checksum([]), checksum(['api.replicas=4']))
    t.not(checksum([]), checksum(['logLevel=debug']))
  })

  t.test('with policies, nothing but the API is open to the world', async (t) => {
    const manifests = render({ values: example('minimal') })
    const open = manifests.filter(({ kind, spec }) => {
      const { ingress = [] } = (spec ?? {}) as { ingress?: { from?: unknown[] }[] }
      return kind === 'NetworkPolicy' && ingress.some(({ from }) => from === undefined)
    })
    t.same(
      open.map(({ metadata }) => metadata.name),
      ['sigcase-api'],
    )
    const services = manifests.filter(({ kind }) => kind === 'Service')
    t.same(
      services.map(({ metadata }) => metadata.name),
      ['sigcase-api'],
    )
  })
})
