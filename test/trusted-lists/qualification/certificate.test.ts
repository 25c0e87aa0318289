import t from 'tap'
import { readCertificate } from '../../../pades/index.ts'
import {
  qualifyCertificate,
  type CertificateLevel,
  type TrustedListSnapshot,
  TrustedLists,
} from '../../../trusted-lists/index.ts'
import { readTrustedList } from '../../../trusted-lists/read-list.ts'
import { readXml } from '../../../trusted-lists/xml.ts'
import { identity } from '../../fixtures/pki.ts'
import {
  criteriaList,
  keyUsage,
  listedCa,
  listText,
  policySet,
  QC_COMPLIANCE,
  QC_LEGISLATION,
  QC_SSCD,
  qcTypes,
  qualifications,
  qualifiedCertificate,
  type ServiceOptions,
  subjectAttribute,
} from '../../fixtures/trusted-lists.ts'

const root = await listedCa('Root')
const ca = await listedCa('Test CA', root)
const AT = new Date('2026-05-01T00:00:00Z')
const both = ['ForeSignatures', 'ForeSeals']

/** A snapshot of one list, without the signatures that other tests are about. */
function listsOf(...services: readonly ServiceOptions[]): TrustedLists {
  const list = readTrustedList(readXml(listText({ services })))
  const lists = [{ territory: 'SK', services: list.services }]
  return new TrustedLists({ lists } as unknown as TrustedListSnapshot)
}

const service = (options: Partial<ServiceOptions> = {}): ServiceOptions => ({
  certificates: [ca.certificate],
  usages: both,
  ...options,
})

const withQualifiers = (qualifiers: readonly string[], criteria: string) =>
  service({ extensions: [qualifications(qualifiers, criteria)] })

/** Met by every certificate of these tests. */
const always = criteriaList('all', keyUsage('keyCertSign', false))

const eSig = await qualifiedCertificate(ca, { statements: [QC_COMPLIANCE, QC_SSCD, qcTypes(1)] })
const eSeal = await qualifiedCertificate(ca, { statements: [QC_COMPLIANCE, qcTypes(2)] })
const plain = await qualifiedCertificate(ca)

const levelOf = (certificate = eSig, lists = listsOf(service()), at = AT): CertificateLevel =>
  qualifyCertificate(certificate, [], lists, at).level

t.test('a certificate is what it says when a granted service issued it', async (t) => {
  t.equal(levelOf(eSig), 'QC-eSig-QSCD')
  t.equal(levelOf(eSeal), 'QC-eSeal')
  t.equal(levelOf(plain), 'Cert-unknown')
  const levels = await Promise.all(
    [
      [QC_COMPLIANCE],
      [QC_COMPLIANCE, qcTypes(1, 2)],
      [QC_COMPLIANCE, QC_LEGISLATION, qcTypes(1)],
      [QC_SSCD, qcTypes(1)],
      [qcTypes(2)],
    ].map(async (statements) => levelOf(await qualifiedCertificate(ca, { statements }))),
  )
  t.same(levels, ['QC-eSig', 'QC-unknown', 'Cert-eSig', 'Cert-eSig', 'Cert-eSeal'])
  t.match(qualifyCertificate(eSig, [], listsOf(service()), AT), {
    qualified: true,
    qscd: true,
    type: 'eSig',
    services: [{ country: 'SK', tsp: 'Test Provider', service: 'Test CA', status: 'granted' }],
    notes: [],
  })
})

t.test('without a service, or with one that is not granted, nothing is qualified', async (t) => {
  const other = await listedCa('Test CA')
  t.equal(levelOf(eSig, listsOf()), 'NA')
  t.equal(levelOf(eSig, listsOf(service({ certificates: [other.certificate] }))), 'NA')
  t.equal(levelOf(eSig, listsOf(service({ type: 'TSA/QTST' }))), 'NA')
  t.equal(levelOf(eSig, listsOf(service({ type: 'CA/PKC' }))), 'Cert-eSig')
  for (const status of ['withdrawn', 'undersupervision', 'accredited', 'unheardOf']) {
    const found = qualifyCertificate(eSig, [], listsOf(service({ status })), AT)
    t.match(found, { level: 'Cert-eSig', notes: ['SERVICE_NOT_GRANTED'] }, status)
  }
  const unknown = '<Extension Critical="true"><Novel xmlns="urn:x"></Novel></Extension>'
  const critical = listsOf(service({ extensions: [unknown] }))
  t.match(qualifyCertificate(eSig, [], critical, AT).notes, ['SERVICE_EXTENSION_UNKNOWN'])
  const harmless = unknown.replace('true', 'false')
  t.equal(levelOf(eSig, listsOf(service({ extensions: [harmless] }))), 'QC-eSig-QSCD')
  for (const flag of [' true ', '1', 'TRUE']) {
    const spelled = listsOf(service({ extensions: [unknown.replace('true', flag)] }))
    t.match(qualifyCertificate(eSig, [], spelled, AT).notes, ['SERVICE_EXTENSION_UNKNOWN'], flag)
  }
  const earlier = service({
    status: 'withdrawn',
    since: '2026-05-15T00:00:00Z',
    history: [{ usages: both, extensions: [unknown] }],
  })
  t.equal(levelOf(eSig, listsOf(earlier)), 'Cert-eSig', 'also while the state was in force')
})

t.test('types and statuses are those of ETSI, whatever else ends alike', (t) => {
  const text = listText({ services: [service()] })
  const levelIn = (etsi: string, other: string) => {
    const list = readTrustedList(readXml(text.replaceAll(etsi, other)))
    const lists = [{ territory: 'SK', services: list.services }]
    return levelOf(eSig, new TrustedLists({ lists } as unknown as TrustedListSnapshot))
  }
  const type = 'http://uri.etsi.org/TrstSvc/Svctype/CA/QC'
  const status = 'http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted'
  t.equal(levelIn(status, ` ${status}\n`), 'QC-eSig-QSCD')
  t.equal(levelIn(status, 'http://scheme.example/Svcstatus/granted'), 'Cert-eSig')
  t.equal(levelIn(status, 'granted'), 'Cert-eSig')
  t.equal(levelIn(status, status.replace('granted', 'Granted')), 'Cert-eSig')
  t.equal(levelIn(type, ` ${type} `), 'QC-eSig-QSCD')
  t.equal(levelIn(type, 'http://scheme.example/Svctype/CA/QC'), 'NA')
  t.equal(levelIn(type, 'http://CA/QC'), 'NA')
  t.equal(levelIn(type, type.toLowerCase()), 'NA')
  t.end()
})

t.test('the state of the service at the moment decides', async (t) => {
  const lists = listsOf(
    service({
      status: 'withdrawn',
      since: '2026-04-01T00:00:00Z',
      history: [
        { status: 'granted', since: '2026-02-01T00:00:00Z', usages: both },
        { status: 'withdrawn', since: '2020-01-01T00:00:00Z', usages: both },
      ],
    }),
  )
  const at = (instant: string) => levelOf(eSig, lists, new Date(instant))
  t.equal(at('2019-12-31T23:59:59Z'), 'NA')
  t.equal(at('2026-01-31T23:59:59Z'), 'Cert-eSig')
  t.equal(at('2026-02-01T00:00:00Z'), 'QC-eSig-QSCD')
  t.equal(at('2026-03-31T23:59:59Z'), 'QC-eSig-QSCD')
  t.equal(at('2026-04-01T00:00:00Z'), 'Cert-eSig')
})

t.test('a state of the history ends at the latest when the current one begins', (t) => {
  for (const since of ['2026-02-01T00:00:00Z', '2026-04-01T00:00:00Z', '2026-04-15T00:00:00Z']) {
    const lists = listsOf(
      service({
        status: 'withdrawn',
        since: '2026-04-01T00:00:00Z',
        history: [{ status: 'granted', since, usages: both }],
      }),
    )
    t.equal(levelOf(eSig, lists), 'Cert-eSig', since)
    t.same(lists.anchors(AT, 'signature'), [], since)
    const [listed] = lists.anchorsAbove([eSig])
    const isTrusted = listed?.periods.some(({ until }) => !until || until > AT) ?? false
    t.notOk(isTrusted, since)
  }
  t.end()
})

t.test('before July 2016 the words of the directive hold', async (t) => {
  const SINCE = '2012-01-01T00:00:00Z'
  const of = (policies: readonly string[], statements: readonly Uint8Array[] = []) =>
    qualifiedCertificate(ca, { policies, statements, notBefore: '2014-01-01T00:00:00Z' })
  const at = new Date('2014-01-01T00:00:00Z')
  for (const status of ['undersupervision', 'supervisionincessation', 'accredited']) {
    const lists = listsOf(service({ status, since: SINCE, usages: ['ForeSeals'] }))
    t.equal(levelOf(await of(['0.4.0.1456.1.1']), lists, at), 'QC-eSig-QSCD')
    t.equal(levelOf(await of(['0.4.0.1456.1.2']), lists, at), 'QC-eSig')
    t.equal(levelOf(await of([], [QC_COMPLIANCE, QC_SSCD]), lists, at), 'QC-eSig-QSCD')
    t.equal(levelOf(await of(['1.2.3']), lists, at), 'Cert-unknown')
    t.equal(levelOf(await of(['0.4.0.1456.1.2']), lists, AT), 'Cert-eSig')
  }
  const ceased = listsOf(service({ status: 'supervisionceased', since: SINCE }))
  t.equal(levelOf(await of(['0.4.0.1456.1.2']), ceased, at), 'Cert-eSig')
  const young = await qualifiedCertificate(ca, { policies: ['0.4.0.1456.1.2'] })
  t.equal(levelOf(young), 'Cert-unknown', 'such a policy means nothing later')
})

t.test('a service for seals makes no signature qualified, and the other way round', async (t) => {
  const seals = listsOf(service({ usages: ['ForeSeals'] }))
  const signatures = listsOf(service({ usages: ['ForeSignatures'] }))
  t.match(qualifyCertificate(eSig, [], seals, AT), {
    level: 'Cert-eSig',
    notes: ['SERVICE_FOR_OTHER_USE'],
  })
  t.equal(levelOf(eSeal, seals), 'QC-eSeal')
  t.equal(levelOf(eSeal, signatures), 'Cert-eSeal')
  t.equal(levelOf(eSig, listsOf(service({ usages: ['RootCA-QC'] }))), 'QC-eSig-QSCD')
  const apart = listsOf(service({ usages: ['ForeSeals'] }), service({ usages: ['ForeSignatures'] }))
  t.equal(levelOf(eSig, apart), 'QC-eSig-QSCD', 'one service for each')
})

t.test('qualifiers of the service correct what the certificate says', async (t) => {
  const expected: [string[], typeof eSig, CertificateLevel][] = [
    [['NotQualified'], eSig, 'Cert-eSig'],
    [['QCStatement'], plain, 'QC-eSig'],
    [['QCStatement', 'QCForESeal'], plain, 'QC-eSeal'],
    [['QCStatement', 'QCForESig', 'QCWithQSCD'], plain, 'QC-eSig-QSCD'],
    [['QCForESeal'], eSig, 'QC-eSeal-QSCD'],
    [['QCNoQSCD'], eSig, 'QC-eSig'],
    [['QCNoSSCD'], eSig, 'QC-eSig'],
    [['QCWithQSCD'], eSeal, 'QC-eSeal-QSCD'],
    [['QCWithSSCD'], eSeal, 'QC-eSeal-QSCD'],
    [['QCQSCDManagedOnBehalf'], eSeal, 'QC-eSeal-QSCD'],
    [['QCQSCDStatusAsInCert'], eSig, 'QC-eSig-QSCD'],
    [['QCQSCDStatusAsInCert'], eSeal, 'QC-eSeal'],
    [['QCWithQSCD'], plain, 'Cert-unknown'],
    [['QCForLegalPerson'], eSeal, 'QC-eSeal'],
    [['QCForLegalPerson'], eSig, 'QC-unknown-QSCD'],
    [['QCForWSA'], eSig, 'Cert-eSig'],
    [['NotQualified '], eSig, 'Cert-eSig'],
    [['notqualified'], eSig, 'Cert-eSig'],
    [['QCNOQSCD'], eSig, 'QC-eSig'],
    [['qcstatement'], plain, 'Cert-unknown'],
    [['NotQualified', 'QCStatement'], eSig, 'Cert-eSig'],
    [['QCWithQSCD', 'QCNoQSCD'], eSig, 'Cert-eSig'],
    [['QCForESig', 'QCForESeal'], eSig, 'Cert-eSig'],
    [['QCForESig', 'QCForLegalPerson'], eSig, 'Cert-eSig'],
  ]
  for (const [qualifiers, certificate, level] of expected) {
    const lists = listsOf(withQualifiers(qualifiers, always))
    t.equal(levelOf(certificate, lists), level, qualifiers.join())
    const unmet = criteriaList('none', keyUsage('keyCertSign', false))
    const without = levelOf(certificate, listsOf(withQualifiers(qualifiers, unmet)))
    t.equal(without, levelOf(certificate), `${qualifiers.join()} for others`)
  }
})

t.test('criteria: policies, key usage, attributes of the subject, nested', async (t) => {
  const certificate = await qualifiedCertificate(ca, {
    statements: [QC_COMPLIANCE, qcTypes(1)],
    policies: ['1.2.3', '1.2.4'],
  })
  const novel = '<q:Novel></q:Novel>'
  const met: [string, boolean | undefined][] = [
    [criteriaList('all', policySet('1.2.3')), true],
    [criteriaList('all', policySet('urn:oid:1.2.3', '1.2.4')), true],
    [criteriaList('all', policySet('1.2.3', '1.2.5')), false],
    [criteriaList('all', policySet('1.2.3'), policySet('1.2.5')), false],
    [criteriaList('atLeastOne', policySet('1.2.5'), policySet('1.2.4')), true],
    [criteriaList('atLeastOne', policySet('1.2.5')), false],
    [criteriaList('none', policySet('1.2.5')), true],
    [criteriaList('none', policySet('1.2.5'), policySet('1.2.3')), false],
    [criteriaList('all', keyUsage('nonRepudiation', true)), true],
    [criteriaList('all', keyUsage('nonRepudiation', false)), false],
    [criteriaList('all', keyUsage('keyCertSign', false)), true],
    [criteriaList('all', subjectAttribute('2.5.4.3')), true],
    [criteriaList('all', subjectAttribute('2.5.4.65')), false],
    [
      criteriaList('all', policySet('1.2.3'), criteriaList('none', subjectAttribute('2.5.4.65'))),
      true,
    ],
    [criteriaList('all', '<q:Description>words</q:Description>', policySet('1.2.3')), true],
    [criteriaList('all', novel), undefined],
    [criteriaList('all', novel, policySet('1.2.5')), false],
    [criteriaList('atLeastOne', novel, policySet('1.2.3')), true],
    [criteriaList('none', novel, policySet('1.2.3')), false],
    [criteriaList('none', novel), undefined],
    [criteriaList('some', policySet('1.2.3')), undefined],
    [criteriaList('all'), undefined],
    [criteriaList('all', keyUsage('flying', true)), undefined],
    [criteriaList('all', keyUsage('nonRepudiation', true).replace('true', ' 1 ')), true],
    [criteriaList('all', keyUsage('nonRepudiation', true).replace('true', 'TRUE')), undefined],
    [criteriaList('all', policySet('oid:1.2.3')), undefined],
    [criteriaList('all', policySet('URN:OID:1.2.3')), true],
    [criteriaList('none', policySet('1.2.3/')), undefined],
  ]
  for (const [criteria, verdict] of met) {
    // What is not known gives nothing, and takes what it may take.
    const giving = levelOf(certificate, listsOf(withQualifiers(['QCWithQSCD'], criteria)))
    t.equal(giving, verdict === true ? 'QC-eSig-QSCD' : 'QC-eSig', criteria)
    const taking = levelOf(certificate, listsOf(withQualifiers(['NotQualified'], criteria)))
    t.equal(taking, verdict === false ? 'QC-eSig' : 'Cert-eSig', criteria)
  }
})

t.test('the nearest listed authority decides, over unlisted ones between', async (t) => {
  const rootOnly = listsOf(service({ certificates: [root.certificate] }))
  t.equal(levelOf(eSig, rootOnly), 'NA', 'the authority between is not known')
  const issuers = [readCertificate(ca.certificate)]
  t.equal(qualifyCertificate(eSig, issuers, rootOnly, AT).level, 'QC-eSig-QSCD')
  const withdrawn = listsOf(
    service({ certificates: [root.certificate] }),
    service({ status: 'withdrawn' }),
  )
  t.equal(levelOf(eSig, withdrawn), 'Cert-eSig')
  // A signer that poses as an authority is none.
  const janka = await identity({ subject: { commonName: 'Janka' }, issuer: ca })
  const statements = [QC_COMPLIANCE, qcTypes(1)]
  const below = await qualifiedCertificate(janka, { statements })
  const poser = [readCertificate(janka.certificate)]
  t.equal(qualifyCertificate(below, poser, listsOf(service()), AT).level, 'NA')
})

t.test('services that contradict each other qualify nothing', async (t) => {
  const twice = listsOf(service(), withQualifiers(['QCNoQSCD'], always))
  t.match(qualifyCertificate(eSig, [], twice, AT), {
    level: 'Cert-eSig',
    notes: ['SERVICES_CONTRADICT'],
  })
  const broken = listsOf(service(), withQualifiers(['QCNoQSCD', 'QCWithQSCD'], always))
  t.equal(levelOf(eSig, broken), 'Cert-eSig')
})
