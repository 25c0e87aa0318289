/** Every name in the runbooks exists: alerts, metrics, panels, values, variables and log lines. */
import t from 'tap'
import { load } from 'js-yaml'
import { ALERTS } from '../../dev/chart/alerts.ts'
import { METRICS } from '../../domain/metrics.ts'
import { files, product } from '../fixtures/source-tree.ts'

const runbooks = files.filter(({ path }) => path.startsWith('docs/runbooks/'))
const textOf = (path: string) => files.find((file) => file.path === path)?.text ?? ''
const COMPONENTS = new Set(['api', 'controller', 'worker'])

/** Matches of a pattern in the runbooks that `isKnown` does not accept, as `page: match`. */
function unknown(pattern: RegExp, isKnown: (found: string) => boolean): string[] {
  const found = runbooks.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([, name = '']) => ({ path, name })),
  )
  if (found.length === 0) throw new Error(`nothing in the runbooks matches ${pattern.source}`)
  return found.filter(({ name }) => !isKnown(name)).map(({ path, name }) => `${path}: ${name}`)
}

t.test('alerts exist, and each one has its runbook', async (t) => {
  t.strictSame(
    unknown(/`(Sigcase\w+)`/g, (name) => ALERTS.some((alert) => alert.name === name)),
    [],
  )
  const named = runbooks.map(({ path }) => path.replace(/^.*\/(.*)\.md$/, '$1')).sort()
  t.strictSame(named, [...new Set(ALERTS.map(({ runbook }) => runbook))].sort())
})

t.test('logs are read of all containers: a pod of a worker has two', async (t) => {
  const pages = files.filter(({ path }) => /^docs\/(runbooks|how-to)\//.test(path))
  const commands = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/kubectl [^`|\n]*\blogs -l [^`|\n]*/g)].map(([one]) => `${path}: ${one}`),
  )
  t.ok(commands.length > 9)
  const isOfWorkers = (one: string) => !/component=(api|controller)\b/.test(one)
  t.same(
    commands.filter((one) => isOfWorkers(one) && !one.includes('--all-containers')),
    [],
  )
})

t.test('metrics and their labels exist', async (t) => {
  const names = Object.keys(METRICS)
  t.strictSame(
    unknown(/\b(sigcase_\w+)/g, (name) => names.includes(name.replace(/_(count|sum|bucket)$/, ''))),
    [],
  )
  const labels = new Set([
    'pod',
    ...Object.values(METRICS).flatMap(({ labels }) => Object.keys(labels)),
  ])
  t.strictSame(
    unknown(/\bby \(([\w, ]+)\)/g, (list) => list.split(', ').every((name) => labels.has(name))),
    [],
  )
  t.strictSame(
    unknown(/sigcase_\w+\{(\w+)=/g, (name) => labels.has(name)),
    [],
  )
})

t.test('panels and sections in italics exist', async (t) => {
  const panels = [...textOf('dev/chart/dashboard.ts').matchAll(/title: '(.+)'/g)].map(
    ([, title]) => title,
  )
  const sections = textOf('docs/how-to/set-up-google-cloud.md')
  t.strictSame(
    unknown(
      /\*([A-Z][^*\n]+)\*/g,
      (name) => panels.includes(name) || sections.includes(`**${name}**`),
    ),
    [],
  )
})

t.test('values of the chart exist', async (t) => {
  const values = load(textOf('charts/sigcase/values.yaml')) as Record<string, unknown>
  const has = (path: string) =>
    path
      .split('.')
      .reduce<unknown>(
        (node, key) => (node as Record<string, unknown> | undefined)?.[key],
        values,
      ) !== undefined
  t.strictSame(unknown(/`((?:api|worker|controller|networkPolicy|limits)\.[\w.]+)`/g, has), [])
})

t.test('environment variables exist', async (t) => {
  const isKnown = (name: string) => product.some(({ text }) => text.includes(`'${name}'`))
  t.strictSame(unknown(/`((?:SMTP|TSA|KMS)_[A-Z_]+)`/g, isKnown), [])
})

t.test('log lines exist', async (t) => {
  const isKnown = (line: string) =>
    product.some(({ code }) => code.includes(`'${line}`) || code.includes(`${line}'`))
  t.strictSame(unknown(/\| grep '([a-z ]+)'/g, isKnown), [])
})

t.test('logs are read of every pod of a component, and whole', async (t) => {
  // With a selector, kubectl prints ten lines of each pod.
  const isWhole = (rest: string) =>
    /^-l app\.kubernetes\.io\/component=(\w+)( --all-containers)? --tail=-1 --since=\d+[mh]/.test(
      rest,
    ) && COMPONENTS.has(/component=(\w+)/.exec(rest)?.[1] ?? '')
  t.strictSame(unknown(/kubectl -n sigcase-system logs ([^`|]+)/g, isWhole), [])
})
