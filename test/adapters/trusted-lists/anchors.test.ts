import { Buffer } from 'node:buffer'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readAnchors } from '../../../adapters/trusted-lists/anchors.ts'
import { issuingCa, root } from '../../fixtures/pki.ts'

function folder(t: Test, files: Record<string, string | Uint8Array>): string {
  const path = mkdtempSync(join(tmpdir(), 'lists-'))
  t.teardown(() => rmSync(path, { recursive: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content)
  return path
}

t.test('anchors are read from PEM and DER, each once', async (t) => {
  const pem = (der: Uint8Array) =>
    `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n` +
    `-----END CERTIFICATE-----\n`
  const path = folder(t, {
    'both.pem': pem(root.certificate) + pem(issuingCa.certificate),
    'root.cer': root.certificate,
    'readme.txt': 'not a certificate',
  })
  t.equal(readAnchors(path).length, 2)
  t.same(readAnchors(join(path, 'root.cer')), [root.certificate])
  t.throws(() => readAnchors(join(path, 'readme.txt')))
  t.throws(() => readAnchors(folder(t, {})), /no certificate/)
  t.throws(() => readAnchors(join(path, 'absent')))
})
