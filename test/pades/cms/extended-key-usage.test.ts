/** A certificate signs documents only if its purposes, and those of its authorities, permit it. */

import t from 'tap'
import type { Certificate } from '../../../pades/cms/certificate-reader.ts'
import type { PathPurpose } from '../../../pades/cms/path-problems.ts'
import { objectIdentifier, sequence } from '../../../pades/cms/der.ts'
import { extension } from '../../../pades/cms/extensions.ts'
import { OID } from '../../../pades/cms/object-identifiers.ts'
import { buildChain, problemsOfChain } from '../../fixtures/chains.ts'
import { AT_TIME, openssl, pem, skip } from './openssl.ts'

const EMAIL_PROTECTION = '1.3.6.1.5.5.7.3.4'
const DOCUMENT_SIGNING = '1.3.6.1.5.5.7.3.36'
const { serverAuth, clientAuth, smartCardLogon, timeStamping, ocspSigning } = OID

const uses = (...oids: readonly string[]) => ({
  extensions: [extension(OID.extendedKeyUsage, true, sequence(...oids.map(objectIdentifier)))],
})
const FORBIDDEN = ['KEY_USAGE_FORBIDS']

const problemsFor = (chain: readonly Certificate[], purpose: PathPurpose = 'signature') =>
  problemsOfChain(chain, { purpose })

t.test('a key that only proves who connects, stamps or answers signs no document', async (t) => {
  for (const oids of [
    [serverAuth],
    [clientAuth],
    [serverAuth, clientAuth],
    [clientAuth, smartCardLogon],
    [timeStamping],
    [ocspSigning],
  ]) {
    t.same(problemsFor(await buildChain([{}, uses(...oids)])), FORBIDDEN, oids.join())
  }
})

t.test('one purpose for documents is enough', async (t) => {
  for (const oid of [EMAIL_PROTECTION, DOCUMENT_SIGNING, OID.anyExtendedKeyUsage]) {
    t.same(problemsFor(await buildChain([{}, uses(clientAuth, oid)])), [], oid)
  }
})

t.test('the purposes of an authority limit the certificates that it issues', async (t) => {
  const below = (oids: readonly string[], leaf = uses(DOCUMENT_SIGNING)) =>
    buildChain([{}, uses(...oids), leaf])
  t.same(problemsFor(await below([serverAuth, clientAuth])), FORBIDDEN)
  t.same(problemsFor(await below([clientAuth, EMAIL_PROTECTION])), [])
  t.same(problemsFor(await below([OID.anyExtendedKeyUsage])), [])
  const stamping = uses(timeStamping)
  t.same(problemsFor(await below([serverAuth], stamping), 'time-stamp'), FORBIDDEN)
  t.same(problemsFor(await below([timeStamping], stamping), 'time-stamp'), [])
  t.same(problemsFor(await below([OID.anyExtendedKeyUsage], stamping), 'time-stamp'), [])
})

t.test('OpenSSL refuses the same chains', { skip }, async (t) => {
  const verdictOf = async (authority: string, own: string) => {
    const chain = await buildChain([uses(authority), uses(own)])
    const [leaf, between, root] = chain.map(({ der }) => pem(der))
    const names = ['-purpose', 'smimesign', '-CAfile', 'root', '-untrusted', 'between', 'leaf']
    const { status } = openssl({ leaf, between, root }, 'verify', ...AT_TIME, ...names)
    t.equal(status === 0, problemsFor(chain).length === 0, `${authority} ${own}`)
  }
  for (const authority of [EMAIL_PROTECTION, serverAuth]) {
    for (const own of [EMAIL_PROTECTION, clientAuth, serverAuth]) await verdictOf(authority, own)
  }
})
