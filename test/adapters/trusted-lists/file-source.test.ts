import { Buffer } from 'node:buffer'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { FileTrustedLists } from '../../../adapters/trusted-lists/file-source.ts'
import { MAXIMUM_TRUSTED_LIST_OCTETS } from '../../../domain/limits.ts'
import { root } from '../../fixtures/pki.ts'

const anchors = { certificates: [root.certificate] }

const text = (octets: Uint8Array) => Buffer.from(octets).toString()

function folder(t: Test, files: Record<string, string | Uint8Array>): string {
  const path = mkdtempSync(join(tmpdir(), 'lists-'))
  t.teardown(() => rmSync(path, { recursive: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content)
  return path
}

t.test('a file is found by its name, else by its territory', async (t) => {
  const path = folder(t, {
    'eu-lotl.xml': 'lotl',
    'pivot-1.xml': 'pivot',
    'named.xml': 'named',
    'tsl-be-2023.xml': 'old',
    'tsl-be-v6.xml': 'new',
    'AT.xml': 'at',
    'tsl-best.xml': 'other',
  })
  const source = new FileTrustedLists(path, anchors)
  const read = async (location: string, territory: string) =>
    text(await source.read({ location, territory }))
  t.equal(await read(source.location, 'EU'), 'lotl')
  t.equal(await read('https://x.example/tools/pivot-1.xml', 'EU'), 'pivot')
  t.equal(await read('https://x.example/named.xml', 'BE'), 'named')
  t.equal(await read('https://x.example/tsl.xml', 'BE'), 'new')
  t.equal(await read('https://x.example/', 'AT'), 'at')
  await t.rejects(read('https://x.example/pivot-2.xml', 'EU'), /no file for/)
  await t.rejects(read('https://x.example/tsl.xml', 'DE'), /no file for/)
  await t.rejects(read('https://x.example/../../etc/hostname', '..'), /no file for/)
  await t.rejects(read('https://x.example/tsl.xml', '.*'), /no file for/)
})

t.test('a file that is too large is not read', async (t) => {
  const path = folder(t, { 'eu-lotl.xml': '' })
  truncateSync(join(path, 'eu-lotl.xml'), MAXIMUM_TRUSTED_LIST_OCTETS + 1)
  const source = new FileTrustedLists(path, anchors)
  await t.rejects(source.read({ location: source.location, territory: 'EU' }), /too large/)
})
