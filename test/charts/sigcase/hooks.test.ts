/** What the chart's own pods run, run here. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import t from 'tap'
import { testApi } from '../../fixtures/api.ts'
import { example, find, podOf, render, ROOT, withHelm, type PodSpec } from '../../fixtures/chart.ts'

await withHelm(() => {
  const { containers } = podOf(
    find(render({ values: example('minimal') }), 'Pod', 'sigcase-test'),
  ) as PodSpec

  /** @returns how the container's program ends when this address is the API's */
  async function runHook(url: string): Promise<number> {
    const child = spawn(process.execPath, containers[0]?.args ?? [], {
      cwd: ROOT,
      env: { SERVICE_URL: url, WAIT_SECONDS: '0.1' },
      stdio: 'ignore',
    })
    const [code] = (await once(child, 'exit')) as [number]
    return code
  }

  t.test('`helm test` passes while the service signs, and fails while it does not', async (t) => {
    const api = await testApi(t)
    const url = await api.app.listen({ host: '127.0.0.1', port: 0 })
    t.equal(await runHook(url), 0)
    api.canary('failed')
    t.equal(await runHook(url), 1)
    await api.app.close()
    t.not(await runHook(url), 0)
  })

  t.test('with the token of a tenant it brings a case to DONE', async (t) => {
    const set = ['helmTest.token.secretName=tenant-token']
    const manifests = render({ values: example('minimal'), set })
    const pod = podOf(find(manifests, 'Pod', 'sigcase-test')) as PodSpec
    const [container] = pod.containers
    t.ok(container?.env?.some(({ name }) => name === 'TOKEN_FILE'))
    t.match(JSON.stringify(pod), '"secretName":"tenant-token"')
  })

  t.test('it asks the Service of the API', async (t) => {
    const value = 'http://sigcase-api.sigcase-system:80'
    t.same(containers[0]?.env, [{ name: 'SERVICE_URL', value }])
  })
})
