/** The sandbox verifies every algorithm and key size that validation knows (ETSI TS 119 312). */
import { Buffer } from 'node:buffer'
import { execFileSync } from 'node:child_process'
import { constants, generateKeyPairSync, sign, type KeyPairKeyObjectResult } from 'node:crypto'
import { join } from 'node:path'
import process from 'node:process'
import t from 'tap'
import { DENO_RUN, denoBinary } from '../../../adapters/pdf-sandbox/deno-binary.ts'
import { DenoPdfSandbox } from '../../../adapters/pdf-sandbox/pdf-sandbox.ts'
import { importKey } from '../../../pades/cms/keys.ts'
import { HASHES } from '../../../pades/cms/signature-algorithms.ts'
import type { ValueScheme } from '../../../pades/cms/verify-value.ts'
import { LONG_RSA_BITS, longRsaKeys } from '../../fixtures/long-rsa-keys.ts'
import { signer } from '../../fixtures/pki.ts'
import { ROOT } from '../../fixtures/source-tree.ts'
import {
  DATA,
  verdictOf,
  type ValueToVerify,
  type ValueVerdict,
} from '../../fixtures/verify-values-child.ts'
import { OPTIONS, signSample, signerRequest } from '../../pades/validate/sample.ts'

const CHILD = join(ROOT, 'test/fixtures/verify-values-child.ts')
/** Deno cannot make the keys that it cannot use. */
const skip = 'deno' in process.versions ? 'Deno makes fewer kinds of keys' : false

const SALTS = [20, 32, 48, 64]
const CURVES = [
  'prime256v1',
  'secp256k1',
  'secp384r1',
  'secp521r1',
  'brainpoolP256r1',
  'brainpoolP256t1',
  'brainpoolP320r1',
  'brainpoolP384r1',
  'brainpoolP384t1',
  'brainpoolP512r1',
  'brainpoolP512t1',
]
/** Half of the values on this curve have a high S, which Deno refuses. */
const REPEATED_CURVE = 'secp256k1'
const REPETITIONS = 6

const hashes = [...new Set(Object.values(HASHES))]

function valueOf(
  { publicKey, privateKey }: KeyPairKeyObjectResult,
  name: string,
  { family, hash, saltBytes }: ValueScheme,
): ValueToVerify {
  const padding = constants.RSA_PKCS1_PSS_PADDING
  const pss = saltBytes === undefined ? {} : { padding, saltLength: saltBytes }
  const algorithm = family.startsWith('ed') ? null : hash
  return {
    name: `${name} ${family} ${hash} ${saltBytes ?? ''}`,
    scheme: { family, hash, saltBytes },
    spki: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    signature: sign(algorithm, DATA, { key: privateKey, ...pss }).toString('base64'),
  }
}

function rsaValues(): ValueToVerify[] {
  const pairs = [
    { bits: 2048, keys: generateKeyPairSync('rsa', { modulusLength: 2048 }) },
    ...LONG_RSA_BITS.map((bits) => ({ bits, keys: longRsaKeys(bits) })),
  ]
  return pairs.flatMap(({ bits, keys }) => {
    const name = `${bits} bits`
    return hashes.flatMap((hash) => [
      valueOf(keys, name, { family: 'rsa', hash, saltBytes: undefined }),
      ...SALTS.map((saltBytes) => valueOf(keys, name, { family: 'rsa-pss', hash, saltBytes })),
    ])
  })
}

function curveValues(): ValueToVerify[] {
  const ofCurves = CURVES.flatMap((namedCurve) => {
    const keys = generateKeyPairSync('ec', { namedCurve })
    const length = namedCurve === REPEATED_CURVE ? REPETITIONS : 1
    const repeated = Array.from({ length }, () => hashes).flat()
    return repeated.map((hash) =>
      valueOf(keys, namedCurve, { family: 'ec', hash, saltBytes: undefined }),
    )
  })
  const edwards = [
    valueOf(generateKeyPairSync('ed25519'), 'ed25519', {
      family: 'ed25519',
      hash: 'sha512',
      saltBytes: undefined,
    }),
    valueOf(generateKeyPairSync('ed448'), 'ed448', {
      family: 'ed448',
      hash: 'sha512',
      saltBytes: undefined,
    }),
  ]
  return [...ofCurves, ...edwards]
}

/** Verifies in Deno with the rights of the sandbox. */
function inSandbox(values: readonly ValueToVerify[]): ValueVerdict[] {
  const output = execFileSync(denoBinary(), [...DENO_RUN, CHILD], {
    cwd: ROOT,
    input: JSON.stringify(values),
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(output.toString()) as ValueVerdict[]
}

const isWrong = ([, right, other]: ValueVerdict) => right !== true || other !== false

t.test('every value is right in the sandbox, and over nothing else', { skip }, async (t) => {
  const values = [...rsaValues(), ...curveValues()]
  t.ok(values.length > 400)
  t.same(inSandbox(values).filter(isWrong), [])
  t.same(values.map(verdictOf).filter(isWrong), [], 'in this process, too')
})

t.test('a value that no implementation knows is neither right nor wrong', { skip }, async (t) => {
  const keys = generateKeyPairSync('ec', { namedCurve: 'sect283r1' })
  const value = valueOf(keys, 'sect283r1', { family: 'ec', hash: 'sha256', saltBytes: undefined })
  t.same(inSandbox([value]), [[value.name, null, null]])
})

t.test('a signature by an RSA key of 4,104 bits passes in the sandbox', { skip }, async (t) => {
  const { privateKey } = longRsaKeys(4104)
  const pkcs8 = new Uint8Array(privateKey.export({ type: 'pkcs8', format: 'der' }))
  const sandbox = new DenoPdfSandbox()
  t.teardown(() => sandbox.close())
  for (const algorithm of ['rsa-pkcs1-sha256', 'rsa-pss-sha512'] as const) {
    const person = await signer('Long key', { key: importKey(pkcs8, algorithm) })
    const pdf = await signSample(undefined, { signers: [signerRequest(person, 'Long', 500)] })
    const verdict = await sandbox.validate(Buffer.from(pdf), {
      trustAnchors: OPTIONS.trustAnchors.map((certificate) => ({ certificate })),
      validationTime: OPTIONS.validationTime,
    })
    t.equal(verdict.outcome, 'validated')
    if (verdict.outcome !== 'validated') continue
    t.match(verdict.validation.report.signatures[0], {
      indication: 'TOTAL_PASSED',
      integrity: { signatureValueValid: true },
    })
  }
})
