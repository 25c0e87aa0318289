/** The configuration of the process that serves a PKCS #11 token. */
import t from 'tap'
import { readPkcs11Config } from '../../../runtime/config/pkcs11-process.ts'
import { ConfigError } from '../../../runtime/config/reader.ts'

const ENVIRONMENT = {
  PKCS11_MODULE: import.meta.filename,
  PKCS11_TOKEN: 'sigcase',
  PKCS11_PIN_FILE: '/run/secrets/pin',
  PKCS11_KEYS: 'sigcase-issuing-ca,sigcase-seal',
  VAULT_TOKEN_FILE: '/run/secrets/token',
}

t.test('all variables are read', async (t) => {
  t.match(readPkcs11Config(ENVIRONMENT), {
    module: import.meta.filename,
    tokenLabel: 'sigcase',
    pinFile: '/run/secrets/pin',
    callerTokenFile: '/run/secrets/token',
    keys: ['sigcase-issuing-ca', 'sigcase-seal'],
    port: 8200,
    logLevel: 'info',
  })
})

t.test('each missing variable is named', async (t) => {
  for (const name of Object.keys(ENVIRONMENT)) {
    const environment = { ...ENVIRONMENT, [name]: '' }
    t.throws(() => readPkcs11Config(environment), ConfigError, name)
    t.throws(() => readPkcs11Config(environment), new RegExp(`${name} is required`), name)
  }
})

t.test('labels that would not fit into a path are refused', async (t) => {
  t.throws(() => readPkcs11Config({ ...ENVIRONMENT, PKCS11_KEYS: 'a/b' }), /PKCS11_KEYS/)
})
