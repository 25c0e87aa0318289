/** The release is removed and installed again: cases and tenants stay. */
import t from 'tap'
import { installRelease, RELEASE } from '../../dev/pods/release.ts'
import { cluster, kubectl, NAMESPACE, podsOf, runCase, TENANT, until } from './cases.ts'

t.test('cases outlive an uninstallation, and the service works on when it is back', async (t) => {
  const caseId = await runCase(t)
  await kubectl.helm('uninstall', RELEASE, NAMESPACE)
  await until('no pods are left', async () => {
    const counts = await Promise.all(['api', 'controller', 'worker', 'redis'].map(podsOf))
    return counts.every(({ length }) => length === 0) ? true : undefined
  })
  const phase = async () => {
    const path = ['signaturecase', caseId, `--namespace=${TENANT}`] as const
    return (await kubectl.get<{ status: { phase: string } }>(...path)).status.phase
  }
  t.equal(await phase(), 'DONE', 'the definitions and the case are still there')
  await installRelease(cluster)
  t.equal(await phase(), 'DONE')
  await runCase(t)
})
