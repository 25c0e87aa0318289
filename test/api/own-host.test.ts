import Fastify from 'fastify'
import t from 'tap'
import { onOwnHostOnly } from '../../api/own-host.ts'

t.test('routes answer under names of this machine only', async (t) => {
  const app = Fastify()
  await app.register(async (inner) => {
    onOwnHostOnly(inner)
    inner.get('/inside', async () => 'x')
  })
  const statusUnder = async (host: string) =>
    (await app.inject({ method: 'GET', url: '/inside', headers: { host } })).statusCode
  for (const host of ['localhost', 'localhost:8080', '127.0.0.1:80', '[::1]:8080']) {
    t.equal(await statusUnder(host), 200, host)
  }
  for (const host of [
    'elsewhere.example',
    'localhost.example',
    '127.0.0.1.example:80',
    '10.0.0.1',
  ]) {
    t.equal(await statusUnder(host), 404, host)
  }
})
