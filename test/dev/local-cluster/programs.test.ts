import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import t from 'tap'
import { listPrograms } from '../../../dev/local-cluster/programs.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PLACES = { bundles: '/bundles', readerSocket: '/run/reader.sock' }

t.test('processes run the bundles', async (t) => {
  const { api, controllers, workers, reader } = listPrograms({ folder: '/cluster' }, PLACES)
  const [onNode, onDeno] = workers.map(({ command }) => command)
  const onBundles = {
    'api.js': api.command,
    'controller.js': controllers[0]?.command,
    'worker.js': onNode,
    'reader.js': reader,
  }
  for (const [bundle, command] of Object.entries(onBundles)) {
    t.equal(command?.[0], process.execPath)
    t.ok(command?.includes('--enable-source-maps'), 'stack traces name the sources')
    t.equal(command?.at(-1), join('/bundles', bundle))
  }
  t.ok(onDeno?.includes('run'))
  t.equal(onDeno?.at(-1), join('/bundles', 'worker.js'))
})

t.test('controllers have the options of the chart, and a place and a name each', async (t) => {
  const { controllers } = listPrograms({ folder: '/cluster', controllers: 2 }, PLACES)
  const chart = readFileSync(join(ROOT, 'charts/sigcase/templates/controller.yaml'), 'utf8')
  const options = chart.match(/"--[^"]+"/g) ?? []
  t.equal(options.length, 1)
  for (const { command } of controllers) {
    for (const option of options) t.ok(command.includes(JSON.parse(option)), option)
  }
  const named = controllers.map(({ name, more }) => [name, more?.POD_NAME])
  t.same(named, [
    ['controller-1', 'controller-1'],
    ['controller-2', 'controller-2'],
  ])
})
