/** What honest programs write into catalog and security store after a signature is permitted. */
import t from 'tap'
import { buildPdf } from '../../fixtures/pdf.ts'
import { appended, sourceOf, stream, withEntry } from '../../fixtures/revisions.ts'
import { signSample } from './sample.ts'
import { PAGE, CATALOG, FIRST, SECOND, NEW, assertPassed, assertRefused } from './later-changes.ts'

t.test('the catalog may name a later version of PDF', async (t) => {
  const file = await signSample()
  const versioned = (version: string) =>
    appended(file, { [CATALOG]: withEntry(sourceOf(file, CATALOG), `/Version ${version}`) })
  for (const version of ['/1.7', '/2.0']) await assertPassed(t, versioned(version))
  for (const version of ['/1.4', '/9.9', '2.0', '(2.0)']) await assertRefused(t, versioned(version))
})

t.test('the catalog may name extensions, which are data that show nothing', async (t) => {
  const file = await signSample()
  const extended = (value: string) =>
    appended(file, {
      [CATALOG]: withEntry(sourceOf(file, CATALOG), `/Extensions << /ADBE ${value} >>`),
      [NEW]: stream('0 g'),
    })
  await assertPassed(t, extended('<< /BaseVersion /1.7 /ExtensionLevel 8 >>'))
  const level = (number: number) => `<< /BaseVersion /2.0 /ExtensionLevel ${number} >>`
  await assertPassed(t, extended(`[${level(32001)} ${level(32002)}]`))
  const nested = (depth: number) => `${'<< /A '.repeat(depth)}1${' >>'.repeat(depth)}`
  await assertPassed(t, extended(nested(48)))
  // PDFium shows no page of such a file.
  await assertRefused(t, extended(nested(70)))
  await assertRefused(t, extended(`${NEW} 0 R`))
  await assertRefused(t, extended(`<< /BaseVersion ${PAGE} 0 R >>`))
  await assertRefused(t, extended(`[<< /BaseVersion /1.7 /URL ${NEW} 0 R >>]`))
})

t.test('a new security store may repeat what the old one has, and drops nothing', async (t) => {
  const file = await signSample(
    buildPdf({
      catalog:
        `/DSS << /Certs [${FIRST} 0 R ${SECOND} 0 R]` +
        ` /VRI << /AB << /Cert [${FIRST} 0 R] >> >> >>`,
      objects: [stream('one'), stream('two')],
    }),
  )
  const catalog = sourceOf(file, CATALOG)
  const rewritten = (store: string) =>
    appended(file, {
      [CATALOG]: catalog.replace(/\/DSS <<.*>> >> >>/, `/DSS << ${store} >>`),
      1930: stream('one'),
      1931: stream('two'),
      1932: stream('three'),
    })
  const vri = '/VRI << /AB << /Cert [1930 0 R] >> >>'
  await assertPassed(t, rewritten(`/Certs [1931 0 R 1930 0 R 1932 0 R] ${vri}`))
  await assertPassed(t, rewritten(`/Certs [${SECOND} 0 R 1930 0 R 1930 0 R] ${vri}`))
  await assertRefused(t, rewritten(`/Certs [1930 0 R 1932 0 R] ${vri}`))
  await assertRefused(t, rewritten(`/CRLs [1930 0 R 1931 0 R] ${vri}`))
  await assertRefused(t, rewritten('/Certs [1930 0 R 1931 0 R]'))
})
