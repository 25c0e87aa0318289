/** Keeps the arrows of design 4: what may import what. */
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, normalize } from 'node:path'
import t from 'tap'
import { ROOT, type SourceFile, files, code, product } from './fixtures/source-tree.ts'

/** What files under `from` may import; the longest `from` that fits a file counts. */
interface ImportRow {
  from: string
  /** Files and folders of this repository, beside `from` itself. */
  local: readonly string[]
  packages: readonly string[]
  /** Modules of Node; without a list any. */
  node?: readonly string[]
}

/** Design 4 would allow more; what a page needs is one font and one composer. */
const PADES_PACKAGES = [
  'pdf-lib',
  'dejavu-fonts-ttf',
  '@fontsource/*',
  'harfbuzzjs',
  'bidi-js',
  '@noble/curves',
  '@noble/hashes',
]
const PADES_NODE = ['buffer', 'crypto', 'fs', 'module', 'zlib']
const API_PACKAGES = [
  'fastify',
  '@fastify/*',
  '@sinclair/typebox',
  'ajv-formats',
  'cookie',
  'mercurius',
  'graphql',
  'graphql-ws',
  'ipaddr.js',
]
const PADES = 'pades/index.ts'
const IN_TIME = 'adapters/shared/in-time.ts'
const CRC32C = 'adapters/shared/crc32c.ts'
const ATTACHMENT = 'adapters/shared/attachment.ts'
const REPEATED = 'adapters/shared/repeated.ts'
const BOUNDED_READ = 'adapters/shared/bounded-read.ts'
const RETRY_AFTER = 'adapters/shared/retry-after.ts'
const GOOGLE_AUTH = 'adapters/shared/google-auth.ts'
const DEVICE = 'adapters/shared/certified-device.ts'
const EXCHANGE = 'adapters/shared/exchange.ts'
const AUTHORITIES = 'adapters/shared/authorities.ts'
const DAMAGED_FILE = 'adapters/shared/damaged-file.ts'
const CASE_QUERY = 'adapters/shared/case-query.ts'
const MAIL_MESSAGE = 'adapters/shared/mail-message.ts'
const PATCHES = 'adapters/shared/patched-dependencies.ts'
const TRUSTED_LISTS = 'trusted-lists/index.ts'

const RANDOMNESS = 'runtime/randomness.ts'

/** A client of an object store in the cloud. */
const BUCKET = ['domain/', ATTACHMENT, BOUNDED_READ, IN_TIME, REPEATED, RETRY_AFTER]

/** A process on a cluster, beside its own folder. */
const MAIN = ['runtime/cluster/', 'runtime/config/', 'domain/', 'adapters/']

const IMPORTS: readonly ImportRow[] = [
  {
    from: 'domain/',
    local: [],
    packages: ['@sinclair/typebox', 'canonicalize', 'uuid'],
    node: ['buffer', 'crypto'],
  },
  { from: 'pades/', local: [], packages: PADES_PACKAGES, node: PADES_NODE },
  {
    from: 'pades/pdf/',
    local: ['pades/errors.ts'],
    packages: [],
    node: ['buffer', 'zlib'],
  },
  {
    from: 'pades/pdf/encryption/',
    local: ['pades/pdf/', 'pades/errors.ts'],
    packages: [],
    node: ['buffer', 'crypto'],
  },
  {
    from: 'pades/syntax/',
    local: ['pades/pdf/', 'pades/errors.ts'],
    packages: [],
    node: ['buffer', 'zlib'],
  },
  {
    // A second judge of its own: of our reader it has arithmetic and the strength of keys alone.
    from: 'pades/second-judge/',
    local: [
      'pades/cms/elliptic-curves.ts',
      'pades/cms/key-strength.ts',
      'pades/cms/public-key.ts',
      'pades/cms/read-once.ts',
      'pades/cms/verify-value.ts',
    ],
    packages: ['asn1js', 'pkijs'],
    node: ['crypto', 'buffer'],
  },
  {
    from: 'trusted-lists/',
    local: [PADES],
    packages: ['@xmldom/xmldom', 'xadesjs', 'xml-core'],
    node: ['buffer', 'crypto'],
  },
  // What is asked of certificates needs neither XML nor signatures of lists.
  { from: 'trusted-lists/qualification/', local: ['trusted-lists/', PADES], packages: [] },
  { from: 'adapters/', local: ['domain/', PADES], packages: [] },
  // Its process starts with each API, and needs no other part of the PDF library.
  {
    from: 'adapters/drawings/',
    local: ['domain/', 'pades/appearance/drawing.ts', 'pades/errors.ts'],
    packages: [],
  },
  {
    from: 'adapters/kubernetes/',
    local: ['domain/', IN_TIME, PATCHES],
    packages: ['@kubernetes/client-node', 'undici'],
  },
  { from: 'adapters/bullmq/', local: ['domain/', IN_TIME, PATCHES], packages: ['bullmq', 'redis'] },
  { from: 'adapters/redis/', local: ['domain/', IN_TIME], packages: ['redis'] },
  { from: 'adapters/postgres/', local: ['domain/', CASE_QUERY], packages: ['pg'] },
  { from: 'adapters/prometheus/', local: ['domain/'], packages: ['prom-client'] },
  {
    from: 'adapters/opentelemetry/',
    local: ['domain/'],
    packages: ['@opentelemetry/*'],
    node: ['async_hooks'],
  },
  { from: 'adapters/jose/', local: ['domain/'], packages: ['jose'] },
  {
    from: 'adapters/embedded/',
    local: [
      'domain/',
      PADES,
      ATTACHMENT,
      AUTHORITIES,
      BOUNDED_READ,
      CASE_QUERY,
      DAMAGED_FILE,
      MAIL_MESSAGE,
    ],
    packages: ['nodemailer', 'postal-mime'],
  },
  // Types alone: it loads no library.
  { from: PATCHES, local: [], packages: ['@kubernetes/client-node', 'undici'], node: ['timers'] },
  { from: ATTACHMENT, local: [], packages: ['content-disposition'] },
  { from: CRC32C, local: [], packages: ['@google-cloud/storage'] },
  { from: 'adapters/shared/google-auth.ts', local: [], packages: ['google-auth-library'] },
  {
    from: 'adapters/gcs/',
    local: [...BUCKET, CRC32C, GOOGLE_AUTH],
    packages: ['@google-cloud/storage', 'google-auth-library'],
  },
  {
    from: 'adapters/s3/',
    local: [...BUCKET, EXCHANGE],
    packages: ['undici'],
  },
  {
    from: 'adapters/vault/',
    local: ['domain/', DEVICE, EXCHANGE, REPEATED, RETRY_AFTER],
    packages: ['undici'],
  },
  { from: 'adapters/pkcs11/', local: ['domain/'], packages: ['asn1js'] },
  { from: EXCHANGE, local: [IN_TIME], packages: ['undici'] },
  {
    from: 'adapters/kms/',
    local: ['domain/', CRC32C, GOOGLE_AUTH, REPEATED, DEVICE],
    packages: ['@google-cloud/kms', 'google-auth-library'],
  },
  { from: 'adapters/pdf-sandbox/', local: ['domain/', PADES, PATCHES], packages: ['pdfjs-dist'] },
  { from: 'adapters/oidc/', local: ['domain/', RETRY_AFTER], packages: ['jose'] },
  { from: 'adapters/smtp/', local: ['domain/', MAIL_MESSAGE], packages: ['nodemailer'] },
  // Puts two adapters together, for the API of either kind.
  { from: 'adapters/sms/open-sender.ts', local: ['domain/', 'adapters/'], packages: [] },
  {
    from: 'adapters/outbound-http/',
    local: ['domain/', IN_TIME],
    packages: ['ipaddr.js', 'undici'],
  },
  {
    from: 'runtime/config/',
    local: ['domain/', 'application/limits/bounds.ts'],
    packages: ['@sinclair/typebox'],
  },
  // Traces, on a cluster and on one machine.
  {
    from: 'runtime/tracing/',
    local: ['runtime/config/', 'domain/', 'adapters/', RANDOMNESS],
    packages: ['pino'],
    node: [],
  },
  // What the processes on a cluster share.
  {
    from: 'runtime/cluster/',
    local: ['runtime/config/', 'runtime/tracing/', 'application/', 'domain/', 'adapters/'],
    packages: ['pino', '@kubernetes/client-node'],
  },
  // Use cases over ports: they know neither HTTP nor an adapter.
  { from: 'application/', local: ['domain/'], packages: [], node: ['buffer', 'crypto'] },
  { from: 'api/', local: ['application/', 'domain/'], packages: API_PACKAGES },
  // Tenants install it without anything else.
  { from: 'clients/typescript/', local: [], packages: [], node: [] },
  { from: RANDOMNESS, local: [], packages: [], node: ['crypto'] },
  { from: 'runtime/api.ts', local: ['api/', 'application/', RANDOMNESS, ...MAIN], packages: [] },
  { from: 'controllers/', local: ['application/', 'domain/'], packages: [] },
  { from: 'runtime/controller.ts', local: ['controllers/', ...MAIN], packages: [] },
  { from: 'workers/', local: ['application/', 'domain/', PADES, TRUSTED_LISTS], packages: [] },
  { from: 'workers/evidence/', local: ['workers/', 'domain/', PADES], packages: ['uqr'] },
  {
    from: 'workers/verification-report/',
    local: ['domain/', 'workers/evidence/', PADES],
    packages: ['@xmldom/xmldom', 'xadesjs', 'xml-core'],
  },
  { from: 'runtime/worker.ts', local: ['workers/', 'runtime/tracing/', ...MAIN], packages: [] },
  {
    from: 'runtime/reader.ts',
    local: ['runtime/cluster/', 'runtime/config/', 'adapters/'],
    packages: [],
  },
  {
    from: 'runtime/pkcs11.ts',
    local: ['runtime/cluster/', 'runtime/config/', 'adapters/'],
    packages: [],
  },
  {
    from: 'runtime/embedded/',
    local: [
      'adapters/',
      'api/',
      'application/',
      'controllers/',
      'domain/',
      'runtime/config/',
      'runtime/tracing/',
      RANDOMNESS,
      'workers/',
    ],
    packages: ['pino'],
  },
  {
    from: 'web/',
    local: [
      'domain/',
      // The preview of a signature is made by the code that makes its appearance (decision 189).
      'pades/appearance/layout.ts',
      'pades/appearance/scripts.ts',
      'pades/appearance/text.ts',
      'pades/appearance/ink.ts',
    ],
    packages: [
      'preact',
      // The page that tries GraphQL (decision 271).
      'graphql',
      'graphql-ws',
      'cm6-graphql',
      'codemirror',
      '@codemirror/*',
      '@lezer/highlight',
      'pdfjs-dist',
      'signature_pad',
      '@fontsource/*',
      'dejavu-fonts-ttf',
      'eventsource',
      'uqr',
    ],
    node: [],
  },
]

/** What a browser loads would come with the whole domain; the named file imports nothing. */
const WEB_VALUES_OF_DOMAIN =
  /^(?:import|export) (?!type\b)[^'"]*?from '(?:\.\.\/)+domain\/(?!fold-text\.ts')/m

/** What all imports, exports from, dynamic imports and requires name; types among them. */
function specifiers(code: string): string[] {
  const forms = [
    /^(?:import|export)\b[^'"]*?from\s*['"]([^'"]+)['"]/gm,
    /^import\s*['"]([^'"]+)['"]/gm,
    /\bimport\(\s*['"`]([^'"`]+)['"`]/g,
    // The name of the package has to be whole, the file may be computed.
    /\brequire(?:\.resolve)?\(\s*['"`]((?:node:|@[\w-]+\/)?[\w.-]+)(?=[/'"`])/g,
  ]
  return forms.flatMap((form) => [...code.matchAll(form)].map(([, specifier]) => `${specifier}`))
}

const matches = (path: string, allowed: string) =>
  allowed.endsWith('/') ? path.startsWith(allowed) : path === allowed

function packageOf(specifier: string): string {
  const [scope = '', name = ''] = specifier.split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}

/** The row of a file; each folder of `adapters` is a world of its own. */
function rowOf(path: string): ImportRow | undefined {
  const fitting = IMPORTS.filter(({ from }) => matches(path, from))
  return fitting.sort((a, b) => b.from.length - a.from.length)[0]
}

function importFault({ path }: SourceFile, specifier: string): string | undefined {
  const row = rowOf(path)
  if (!row) return undefined
  if (specifier.startsWith('.')) {
    const target = normalize(join(path, '..', specifier))
    const own = row.from === 'adapters/' ? path.split('/').slice(0, 2).join('/') + '/' : row.from
    const allowed = [...row.local, own]
    return allowed.some((place) => matches(target, place)) ? undefined : target
  }
  const builtin = specifier.startsWith('node:') ? specifier.slice('node:'.length) : undefined
  if (builtin !== undefined) {
    const listed = !row.node || row.node.includes(builtin.split('/')[0] as string)
    return listed ? undefined : specifier
  }
  if (builtinModules.includes(specifier)) return `${specifier} (say node:${specifier})`
  const name = packageOf(specifier)
  const listed = row.packages.some((allowed) =>
    allowed.endsWith('/*') ? name.startsWith(allowed.slice(0, -1)) : name === allowed,
  )
  return listed ? undefined : specifier
}

t.test('every file of the product has a row', async (t) => {
  t.ok(product.every((file) => rowOf(file.path)))
})

t.test('each adapter has a folder, and helpers are in adapters/shared', async (t) => {
  const loose = product.filter(({ path }) => /^adapters\/[^/]+$/.test(path))
  t.strictSame(
    loose.map(({ path }) => path),
    [],
  )
})

t.test('the table refuses what must not be imported', async (t) => {
  const refused = [
    ['domain/cases/keys.ts', '../../api/server.ts'],
    ['domain/cases/keys.ts', 'fastify'],
    ['domain/cases/keys.ts', 'node:fs'],
    ['pades/pdf/open.ts', '../cms/der.ts'],
    ['pades/sign/sign.ts', '../../domain/limits.ts'],
    ['workers/intake.ts', '../pades/pdf/open.ts'],
    ['workers/intake.ts', '../adapters/embedded/files.ts'],
    ['adapters/redis/queue.ts', '../embedded/queue.ts'],
    ['api/cases.ts', 'pkijs'],
    ['controllers/controller.ts', 'crypto'],
  ] as const
  for (const [path, specifier] of refused) {
    t.ok(importFault({ path, text: '', code: '' }, specifier), `${path} imports ${specifier}`)
  }
  t.equal(importFault({ path: 'workers/a.ts', text: '', code: '' }, '../pades/index.ts'), undefined)
  t.strictSame(
    specifiers(
      "import 'tap'\nexport { b } from './b.ts'\nawait import('ajv')\nrequire.resolve(`a/${b}`)",
    ),
    ['./b.ts', 'tap', 'ajv', 'a'],
  )
})

t.test('each layer imports only what its row of the table allows', async (t) => {
  const faults = code.flatMap((file) =>
    specifiers(file.code).flatMap((specifier) => {
      const fault = importFault(file, specifier)
      return fault === undefined ? [] : [`${file.path} imports ${fault}`]
    }),
  )
  t.strictSame(faults, [])
})

t.test('only one file checks values by schema, so every process has its formats', async (t) => {
  const checks = /'@sinclair\/typebox\/|\b(?:Format|Type)Registry\b/
  const naming = product.filter(({ code: text }) => checks.test(text))
  t.strictSame(
    naming.map(({ path }) => path),
    ['domain/schema-faults.ts'],
  )
})

t.test('only a rehearsal validates without the beginning of a file', async (t) => {
  const naming = product.filter(({ code: text }) => /\bvalidateBehind\b/.test(text))
  t.strictSame(naming.map(({ path }) => path).sort(), [
    'pades/sign/rehearse.ts',
    'pades/validate/validate-signatures.ts',
  ])
})

t.test('no benchmark loads the test framework, whose time limit would end it', async (t) => {
  const loaded = new Set(files.filter(({ path }) => path.startsWith('bench/')))
  for (const file of loaded) {
    for (const specifier of specifiers(file.code).filter((one) => one.startsWith('.'))) {
      const imported = code.find(({ path }) => path === normalize(join(file.path, '..', specifier)))
      if (imported) loaded.add(imported)
    }
  }
  t.ok(loaded.size > 100)
  const faults = [...loaded].filter((file) => /^import (?!type\b).*'tap'$/m.test(file.code))
  t.strictSame(
    faults.map(({ path }) => path),
    [],
  )
})

t.test('the table allows nothing that is not imported', async (t) => {
  const used = new Map<ImportRow, string[]>()
  for (const file of product) {
    const row = rowOf(file.path) as ImportRow
    const targets = specifiers(file.code).map((one) =>
      one.startsWith('.') ? normalize(join(file.path, '..', one)) : one,
    )
    used.set(row, [...(used.get(row) ?? []), ...targets])
  }
  const idle = IMPORTS.flatMap((row) => {
    const targets = used.get(row) ?? []
    const packages = targets.map(packageOf)
    const isIdle = (name: string, found: readonly string[]) => {
      const prefix = name.replace('*', '')
      return !found.some((one) => one === name || (prefix.endsWith('/') && one.startsWith(prefix)))
    }
    return [
      ...row.local.filter((place) => isIdle(place, targets)),
      ...row.packages.filter((name) => isIdle(name, packages)),
      ...(row.node ?? []).filter((name) => isIdle(`node:${name}`, targets)),
    ].map((name) => `${row.from} need not import ${name}`)
  })
  t.strictSame(idle, [])
})

t.test('no two files need each other to run', async (t) => {
  const needs = new Map(
    code.map(({ path, code: text }) => {
      const values = text.replace(/^(?:import|export) type\b[^'"]*?from\s*'[^']+'/gm, '')
      const local = specifiers(values).filter((one) => one.startsWith('.'))
      return [path, local.map((one) => normalize(join(path, '..', one)))]
    }),
  )
  const ended = new Set<string>()
  const circles: string[] = []
  const visit = (path: string, above: readonly string[]): void => {
    if (above.includes(path)) circles.push([...above.slice(above.indexOf(path)), path].join(' > '))
    if (ended.has(path) || above.includes(path)) return
    for (const needed of needs.get(path) ?? []) visit(needed, [...above, path])
    ended.add(path)
  }
  for (const path of needs.keys()) visit(path, [])
  t.strictSame(circles, [])
})

t.test('pages take types from the domain, and nothing that runs', async (t) => {
  const pages = code.filter(({ path }) => path.startsWith('web/'))
  t.ok(pages.length > 20)
  const faults = pages.filter(({ code: text }) => WEB_VALUES_OF_DOMAIN.test(text))
  t.strictSame(
    faults.map(({ path }) => path),
    [],
  )
})

t.test('every package that is imported is a dependency', async (t) => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as { dependencies: object; devDependencies: object }
  const faults = code.flatMap(({ path, code: text }) => {
    const known = {
      ...dependencies,
      ...(/^(test|bench|dev|web)\//.test(path) ? devDependencies : {}),
    }
    const packages = specifiers(text).filter((specifier) => !/^(\.|node:)/.test(specifier))
    return packages
      .filter((specifier) => !Object.hasOwn(known, packageOf(specifier)))
      .map((specifier) => `${path} imports ${specifier}`)
  })
  t.strictSame(faults, [])
})
