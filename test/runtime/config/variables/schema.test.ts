/** When a variable is missing, malformed or out of range, a message names it and its rule. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { SIGNING_VARIABLES } from '../../../../runtime/config/kms.ts'
import {
  readApiConfig,
  readControllerConfig,
  readWorkerConfig,
} from '../../../../runtime/config/processes.ts'
import { readReaderConfig } from '../../../../runtime/config/reader-process.ts'
import {
  ConfigError,
  EnvironmentReader,
  type Environment,
} from '../../../../runtime/config/reader.ts'
import {
  declarationOf,
  ruleOf,
  VARIABLES,
  type VariableName,
} from '../../../../runtime/config/variables/schema.ts'
import { readConfig } from '../../../../runtime/embedded/config.ts'

const NAMES = Object.keys(VARIABLES.properties) as VariableName[]
const READERS = {
  service: readConfig,
  api: readApiConfig,
  controller: readControllerConfig,
  worker: readWorkerConfig,
  reader: readReaderConfig,
} as const
type ProcessName = keyof typeof READERS
const PROCESSES = Object.keys(READERS) as ProcessName[]

const folder = mkdtempSync(join(tmpdir(), 'sigcase-variables-'))
writeFileSync(join(folder, 'empty.pem'), '')
writeFileSync(join(folder, 'large.png'), 'x'.repeat(100_000))
t.teardown(() => rmSync(folder, { recursive: true }))

/** Texts that do not have the form. Every text is a text and a path. */
const MALFORMED: Readonly<Record<string, readonly string[]>> = {
  text: [],
  path: [],
  'existing-path': [join(folder, 'absent')],
  'certificate-file': [join(folder, 'absent.pem'), join(folder, 'empty.pem')],
  host: ['no host', '-x'],
  'base-url': ['ftp://x', 'https://u:opensesame@x', 'https://x/?a=1', 'https://x/a;b'],
  'http-url': ['x', 'ftp://x', 'https://u:opensesame@x', 'https://x/#f'],
  endpoint: ['x', 'https://u:opensesame@x'],
  origin: ['https://x/path', 'x'],
  'literal-url': ['ftp://x', 'x'],
  'list-source': ['ftp://x'],
  'address-or-range': ['localhost', '10.0.0.0/33', '10.0.0.1,,10.0.0.2'],
  'embedding-origin': ['http://app.example.com', 'https://app.example.com/'],
  'sender-name': ['x'.repeat(101), 'a\u202eb'],
  colour: ['red', '#abc', '#1b5e8g', '#1b5e8500'],
  'logo-file': [join(folder, 'absent.png'), join(folder, 'large.png')],
  share: ['2', '-1', '1.5', '1e-1', '.5', '50%'],
  'dotted-oid': ['any', '3.1', '1.02'],
  email: ['nobody', 'a b@c'],
  'bearer-token': ['has spaces'],
  'bucket-name': ['Not a bucket', 'x'],
  'vault-path': ['/transit', '../sys', 'a b'],
  'vault-key': ['seal', 'seal:0', 'a/b:1'],
  'transit-key': ['a/b', '-seal', 'seal:1'],
  'key-version': ['projects/p', 'projects/p/locations/l/keyRings/r/cryptoKeys/k'],
  'postgres-url': ['mysql://db/x', 'postgres://db', 'postgres://u:opensesame@a,b/x'],
  'redis-url': ['https://redis', 'redis://a,b', 'redis-sentinel://:opensesame@a'],
  'redis-prefix': ['a b', 'x'.repeat(65)],
  'smtp-url': ['https://mail', 'smtps://u:opensesame@mail', 'smtps://'],
  namespace: ['UPPER', '-x', 'x'.repeat(64)],
  'time-zone': ['Europe/Nowhere', '+01:00', 'local'],
  'pod-name': ['a b', 'x'.repeat(201)],
}

/** Texts that the declaration refuses. */
function refusedTexts(name: VariableName): readonly string[] {
  const { form, items, minimum, maximum, maxItems, anyOf } = declarationOf(name)
  if (anyOf) return ['loud', anyOf[0]!.const.toUpperCase()]
  if (minimum !== undefined) {
    return [String(minimum - 1), String(maximum + 1), '1.5', '1e1', '1 s', 'x']
  }
  const malformed = MALFORMED[items?.form ?? form ?? '']
  if (!malformed) throw new Error(`${name}: add malformed texts of its form`)
  if (maxItems === undefined) return malformed
  const tooMany = Array.from({ length: maxItems + 1 }, (_, index) => `https://a${index}.example`)
  return [...malformed, tooMany.join()]
}

for (const name of NAMES) {
  t.test(`${name} is refused with its rule`, async (t) => {
    const declaration = declarationOf(name)
    for (const text of refusedTexts(name)) {
      const reader = new EnvironmentReader({ [name]: text })
      t.strictSame(reader.get(name), declaration.default, `${text}: the default is used`)
      const given = declaration.isSecret ? 'it' : `"${text}"`
      t.strictSame(reader.faults, [`${name}: ${given} is not ${ruleOf(declaration, text)}`])
      if (declaration.isSecret) t.notOk(reader.faults.join().includes('opensesame'))
    }
    const absent = new EnvironmentReader({ [name]: ' ' })
    t.strictSame(absent.get(name), declaration.default)
    t.strictSame(absent.faults, [])
  })
}

t.test('rules of numbers contain their range', async (t) => {
  const faultOf = (name: VariableName, text: string) => {
    const reader = new EnvironmentReader({ [name]: text })
    reader.get(name)
    return reader.faults[0]
  }
  t.equal(faultOf('PORT', '65536'), 'PORT: "65536" is not a port from 0 to 65535')
  t.equal(
    faultOf('RETENTION_DAYS', '0'),
    'RETENTION_DAYS: "0" is not a number of days from 1 to 36500',
  )
  t.equal(
    faultOf('TENANT_CASES_PER_DAY', '-1'),
    'TENANT_CASES_PER_DAY: "-1" is not a number from 0 to 9999999; 0 for no limit',
  )
})

function faultsOf(process: ProcessName, environment: Environment): string[] {
  try {
    READERS[process](environment)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split('\n').map((line) => line.trim())
  }
}

for (const process of PROCESSES) {
  t.test(`${process}: each required variable that is missing is named`, async (t) => {
    const missing = faultsOf(process, {}).filter((fault) => / is required: /.test(fault))
    const expected = NAMES.flatMap((name) => {
      const { requiredBy = [], summary } = declarationOf(name)
      return requiredBy.includes(process) ? [`${name} is required: ${summary}`] : []
    })
    t.strictSame(missing.sort(), expected.sort())
  })

  t.test(`${process}: it reads the variables that the reference says`, async (t) => {
    const read = new Set<string>()
    const observed = new Proxy({}, { get: (_target, name) => void read.add(String(name)) })
    faultsOf(process, observed as Environment)
    // Refused there, not read.
    if (process === 'api' || process === 'controller') {
      for (const name of SIGNING_VARIABLES) read.delete(name)
    }
    const expected = NAMES.filter((name) => declarationOf(name).readBy.includes(process))
    t.strictSame([...read].sort(), [...expected].sort())
  })
}

t.test('the message of a missing variable is a sentence about its purpose', async (t) => {
  const api = faultsOf('api', {})
  t.ok(api.includes('BASE_URL is required: the public URL of the service'))
  const worker = faultsOf('worker', {})
  t.ok(worker.includes('Set KMS_TSA_KEY or TSA_URLS: documents need time-stamps'))
})
