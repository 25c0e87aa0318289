import t from 'tap'
import { baseUrlOf, settledPort } from '../../../runtime/embedded/base-url.ts'
import { readConfig } from '../../../runtime/embedded/config.ts'

t.test('links lead to host and port, unless a base was given', async (t) => {
  const baseOf = (environment: Record<string, string>) => baseUrlOf(readConfig(environment), 81)
  t.equal(baseOf({}), 'http://127.0.0.1:81')
  t.equal(baseOf({ HOST: '::1' }), 'http://[::1]:81')
  t.equal(baseOf({ HOST: '0.0.0.0' }), 'http://localhost:81')
  t.equal(baseOf({ HOST: '::' }), 'http://localhost:81')
  t.equal(baseOf({ HOST: '::', BASE_URL: 'https://sign.example/' }), 'https://sign.example')
})

t.test('a port of 0 is settled before anything listens', async (t) => {
  t.equal(await settledPort(readConfig({ PORT: '8081' })), 8081)
  const settled = await settledPort(readConfig({ PORT: '0' }))
  t.ok(settled >= 20_000 && settled < 32_768, 'no outgoing connection can take it')
})
