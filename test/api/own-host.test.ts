import Fastify from 'fastify'
import t from 'tap'
import { onOwnHostOnly } from '../../api/own-host.ts'

async function open() {
  const app = Fastify()
  await app.register(async (inner) => {
    onOwnHostOnly(inner)
    inner.get('/inside', async () => 'x')
  })
  return async (headers: Record<string, string>) =>
    (await app.inject({ method: 'GET', url: '/inside', headers })).statusCode
}

t.test('routes answer under names of this machine only', async (t) => {
  const statusWith = await open()
  for (const host of ['localhost', 'localhost:8080', '127.0.0.1:80', '[::1]:8080']) {
    t.equal(await statusWith({ host }), 200, host)
  }
  for (const host of [
    'elsewhere.example',
    'localhost.example',
    '127.0.0.1.example:80',
    '10.0.0.1',
  ]) {
    t.equal(await statusWith({ host }), 404, host)
  }
})

t.test('routes do not answer through a proxy on this machine', async (t) => {
  const statusWith = await open()
  for (const name of [
    'Forwarded',
    'Via',
    'X-Real-IP',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
  ]) {
    t.equal(await statusWith({ host: 'localhost:8080', [name]: 'x' }), 404, name)
  }
})
