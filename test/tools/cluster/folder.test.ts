/** The folder of the local cluster is emptied at its start; no other folder ever is. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import { clusterFolder, emptyClusterFolder } from '../../../tools/cluster/folder.ts'

t.test('an empty CLUSTER_DIR is none, not the working directory', async (t) => {
  t.equal(clusterFolder({ CLUSTER_DIR: '' }), resolve('.data/cluster'))
  t.equal(clusterFolder({}), resolve('.data/cluster'))
  t.equal(clusterFolder({ CLUSTER_DIR: 'x' }), resolve('x'))
})

t.test('what an earlier cluster left is removed', async (t) => {
  const folder = join(t.testdir(), 'new')
  emptyClusterFolder(folder)
  const fresh = readdirSync(folder)
  writeFileSync(join(folder, 'kubeconfig'), '')
  emptyClusterFolder(folder)
  t.same(readdirSync(folder), fresh)
})

t.test('an empty folder is taken; what others wrote stays', async (t) => {
  const folder = t.testdir({ empty: {}, home: { 'thesis.pdf': 'x' } })
  emptyClusterFolder(join(folder, 'empty'))
  const home = join(folder, 'home')
  t.throws(() => emptyClusterFolder(home), /would be emptied.*set CLUSTER_DIR to another folder/)
  t.same(readdirSync(home), ['thesis.pdf'])
})
