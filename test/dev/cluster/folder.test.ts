/** The folder of the local cluster is emptied at its start; no other folder ever is. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import { clusterFolder, takeClusterFolder } from '../../../dev/cluster/folder.ts'

t.test('an empty CLUSTER_DIR is none, not the working directory', async (t) => {
  t.equal(clusterFolder({ CLUSTER_DIR: '' }), resolve('.data/cluster'))
  t.equal(clusterFolder({}), resolve('.data/cluster'))
  t.equal(clusterFolder({ CLUSTER_DIR: 'x' }), resolve('x'))
})

t.test('what an earlier cluster left is removed', async (t) => {
  const folder = join(t.testdir(), 'new')
  const giveBack = await takeClusterFolder(folder)
  const fresh = readdirSync(folder)
  writeFileSync(join(folder, 'kubeconfig'), '')
  giveBack()
  const again = await takeClusterFolder(folder)
  t.same(readdirSync(folder), fresh)
  again()
})

t.test('the folder of a cluster that runs is not emptied under it', async (t) => {
  const folder = t.testdir()
  const giveBack = await takeClusterFolder(folder)
  writeFileSync(join(folder, 'kubeconfig'), '')
  await t.rejects(takeClusterFolder(folder), /a cluster is running in/)
  t.ok(readdirSync(folder).includes('kubeconfig'))
  giveBack()
})

t.test('an empty folder is taken; what others wrote stays', async (t) => {
  const folder = t.testdir({ empty: {}, home: { 'thesis.pdf': 'x' } })
  const giveBack = await takeClusterFolder(join(folder, 'empty'))
  giveBack()
  const home = join(folder, 'home')
  await t.rejects(takeClusterFolder(home), /would be emptied.*set CLUSTER_DIR to another folder/)
  t.same(readdirSync(home), ['thesis.pdf'])
})
