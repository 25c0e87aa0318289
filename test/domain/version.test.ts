import { readFileSync } from 'node:fs'
import t from 'tap'
import { USER_AGENT, VERSION } from '../../domain/version.ts'

t.test('the version is that of the package', async (t) => {
  const manifest = new URL('../../package.json', import.meta.url)
  t.equal((JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version, VERSION)
  t.equal(USER_AGENT, `sigcase/${VERSION}`)
})
