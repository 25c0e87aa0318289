/** What the chart's own pods run, run here. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import t from 'tap'
import { testApi } from '../../fixtures/api.ts'
import { example, find, podOf, render, withHelm, type PodSpec } from '../../fixtures/chart.ts'

await withHelm(() => {
  const { containers } = podOf(
    find(render({ values: example('minimal') }), 'Pod', 'sigcase-test'),
  ) as PodSpec

  /** @returns how the container's program ends when this address is the API's */
  async function endOf(readinessUrl: string): Promise<number> {
    const child = spawn(process.execPath, containers[0]?.args ?? [], {
      env: { READINESS_URL: readinessUrl },
      stdio: 'ignore',
    })
    const [code] = (await once(child, 'exit')) as [number]
    return code
  }

  t.test('`helm test` passes while the service signs, and fails while it does not', async (t) => {
    const api = await testApi(t)
    const url = `${await api.app.listen({ host: '127.0.0.1', port: 0 })}/readyz`
    t.equal(await endOf(url), 0)
    api.canary('failed')
    t.equal(await endOf(url), 1)
    await api.app.close()
    t.not(await endOf(url), 0)
  })

  t.test('it asks the Service of the API', async (t) => {
    const value = 'http://sigcase-api.sigcase-system:80/readyz'
    t.same(containers[0]?.env, [{ name: 'READINESS_URL', value }])
  })
})
