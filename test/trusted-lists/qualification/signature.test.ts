import t from 'tap'
import { readCertificate } from '../../../pades/index.ts'
import {
  type CertificateQualification,
  qualifySignature,
  qualifyTimeStamp,
  signatureLevel,
  type TrustedListSnapshot,
  TrustedLists,
} from '../../../trusted-lists/index.ts'
import { readTrustedList } from '../../../trusted-lists/read-list.ts'
import { readXml } from '../../../trusted-lists/xml.ts'
import { identity } from '../../fixtures/pki.ts'
import {
  base64,
  listedCa,
  listText,
  QC_COMPLIANCE,
  QC_SSCD,
  qcTypes,
  qualifiedCertificate,
  type ServiceOptions,
} from '../../fixtures/trusted-lists.ts'

const ca = await listedCa('Test CA')

function listsOf(...services: readonly ServiceOptions[]): TrustedLists {
  const list = readTrustedList(readXml(listText({ services })))
  const lists = [{ territory: 'SK', services: list.services }]
  return new TrustedLists({ lists } as unknown as TrustedListSnapshot)
}

const qualification = (
  qualified: boolean,
  type: CertificateQualification['type'],
  qscd = false,
): CertificateQualification => ({
  level: qualified ? `QC-${type}` : `Cert-${type}`,
  qualified,
  type,
  qscd,
  services: [],
  notes: [],
})
const none: CertificateQualification = { ...qualification(false, 'unknown'), level: 'NA' }

t.test(
  'the level follows from the certificate at issuance and at the best signing time',
  async (t) => {
    const q = qualification
    for (const [atIssuance, atBest, level] of [
      [q(true, 'eSig', true), q(true, 'eSig', true), 'QESig'],
      [q(true, 'eSig'), q(true, 'eSig', true), 'QESig'],
      [q(true, 'eSig', true), q(true, 'eSig'), 'AdESig-QC'],
      [q(true, 'eSeal', true), q(true, 'eSeal', true), 'QESeal'],
      [q(true, 'eSeal'), q(true, 'eSeal'), 'AdESeal-QC'],
      [q(false, 'eSig'), q(true, 'eSig', true), 'AdESig'],
      [q(true, 'eSig', true), q(false, 'eSig'), 'AdESig'],
      [q(false, 'eSeal'), q(false, 'eSeal'), 'AdESeal'],
      [q(true, 'eSig', true), q(true, 'eSeal', true), 'AdES-QC'],
      [q(true, 'unknown', true), q(true, 'unknown', true), 'AdES-QC'],
      [q(false, 'unknown'), q(false, 'unknown'), 'AdES'],
      [q(true, 'web', true), q(true, 'web', true), 'AdES'],
      [none, q(true, 'eSig', true), 'AdES'],
      [none, none, 'NA'],
    ] as const) {
      t.equal(signatureLevel('TOTAL_PASSED', atIssuance, atBest), level)
      const open = level === 'NA' ? 'NA' : `Indeterminate-${level}`
      t.equal(signatureLevel('INDETERMINATE', atIssuance, atBest), open)
      t.equal(signatureLevel('TOTAL_FAILED', atIssuance, atBest), 'NA')
    }
  },
)

t.test('a service that is withdrawn later leaves what was signed before as it was', async (t) => {
  const statements = [QC_COMPLIANCE, QC_SSCD, qcTypes(1)]
  const certificate = await qualifiedCertificate(ca, { statements })
  const lists = listsOf({
    certificates: [ca.certificate],
    status: 'withdrawn',
    since: '2026-03-01T00:00:00Z',
    history: [{ status: 'granted', since: '2016-07-01T00:00:00Z' }],
  })
  const at = (instant: string) =>
    qualifySignature(
      {
        certificate,
        issuers: [],
        indication: 'TOTAL_PASSED',
        bestSignatureTime: new Date(instant),
      },
      lists,
    )
  t.match(at('2026-02-01T00:00:00Z'), {
    level: 'QESig',
    atIssuance: { level: 'QC-eSig-QSCD' },
    atBestSignatureTime: { level: 'QC-eSig-QSCD' },
  })
  t.match(at('2026-03-02T00:00:00Z'), {
    level: 'AdESig',
    atIssuance: { level: 'QC-eSig-QSCD' },
    atBestSignatureTime: { level: 'Cert-eSig', services: [{ status: 'withdrawn' }] },
  })
})

t.test('a time-stamp is qualified by its unit, or by the authority above it', async (t) => {
  const unit = await identity({ profile: 'tsa', issuer: ca })
  const certificate = readCertificate(unit.certificate)
  const AT = new Date('2026-06-01T12:00:00Z')
  const of = (...services: readonly ServiceOptions[]) =>
    qualifyTimeStamp(certificate, [], listsOf(...services), AT)
  const qtst = { type: 'TSA/QTST', usages: [] }
  t.equal(of({ ...qtst, certificates: [unit.certificate] }), 'QTSA')
  t.equal(of({ ...qtst, certificates: [ca.certificate] }), 'QTSA')
  t.equal(of({ ...qtst, certificates: [unit.certificate], status: 'withdrawn' }), 'TSA')
  t.equal(of({ type: 'TSA', usages: [], certificates: [unit.certificate] }), 'TSA')
  t.equal(of({ certificates: [ca.certificate] }), 'TSA')
  t.equal(of(), 'NA')
})

t.test('anchors are the authorities that could be relied upon at the moment', async (t) => {
  const unit = await identity({ profile: 'tsa', issuer: ca })
  const gone = await listedCa('Gone CA')
  const lists = listsOf(
    { certificates: [ca.certificate], name: 'One' },
    { certificates: [unit.certificate], type: 'TSA/QTST', usages: [] },
    {
      certificates: [gone.certificate],
      status: 'withdrawn',
      since: '2026-01-01T00:00:00Z',
      history: [{ status: 'undersupervision', since: '2012-01-01T00:00:00Z' }],
    },
  )
  const at = (instant: string, purpose: 'signature' | 'time-stamp') =>
    lists.anchors(new Date(instant), purpose)
  const [anchor, ...others] = at('2026-05-01T00:00:00Z', 'signature')
  t.same(others, [])
  t.match(anchor, {
    source: 'EU-TL',
    country: 'SK',
    tsp: 'Test Provider',
    service: 'One',
    status: 'granted',
  })
  t.equal(anchor && base64(anchor.certificate.der), base64(ca.certificate))
  t.equal(at('2026-05-01T00:00:00Z', 'time-stamp').length, 2)
  t.match(at('2014-05-01T00:00:00Z', 'signature'), [{ status: 'undersupervision' }])
})
