import t from 'tap'
import { readConsole } from '../../../runtime/config/console-provider.ts'
import { EnvironmentReader } from '../../../runtime/config/reader.ts'

/** The slash at the end is a part of the issuer. */
const CONSOLE_OIDC_ISSUER = 'https://login.example/tenant/'
const CONSOLE_OIDC_CLIENT_ID = 'console'

function readFrom(environment: Record<string, string>) {
  const reader = new EnvironmentReader(environment, { isOnCluster: true })
  return { provider: readConsole(reader), faults: reader.faults.join('\n') }
}

t.test('a provider has an issuer and a client id', async (t) => {
  t.strictSame(readFrom({}), { provider: undefined, faults: '' })
  t.strictSame(readFrom({ CONSOLE_OIDC_ISSUER, CONSOLE_OIDC_CLIENT_ID }).provider, {
    kind: 'provider',
    issuer: CONSOLE_OIDC_ISSUER,
    clientId: 'console',
    scope: 'openid',
    token: 'id_token',
  })
  const whole = {
    CONSOLE_OIDC_ISSUER,
    CONSOLE_OIDC_CLIENT_ID,
    CONSOLE_OIDC_SCOPE: 'openid email',
    CONSOLE_OIDC_TOKEN: 'access_token',
    CONSOLE_OIDC_TOKEN_ORIGIN: 'https://tokens.example',
  }
  t.match(readFrom(whole).provider, {
    scope: 'openid email',
    token: 'access_token',
    tokenOrigin: 'https://tokens.example',
  })
})

t.test(
  'half of a provider is a fault, and so is an origin that would break a policy',
  async (t) => {
    t.match(readFrom({ CONSOLE_OIDC_ISSUER }).faults, 'CONSOLE_OIDC_CLIENT_ID is required')
    t.match(readFrom({ CONSOLE_OIDC_CLIENT_ID }).faults, 'CONSOLE_OIDC_ISSUER is required with it')
    const hostile = { CONSOLE_OIDC_ISSUER: 'https://a;script-src/', CONSOLE_OIDC_CLIENT_ID }
    t.match(readFrom(hostile).faults, 'cannot be part of a page policy')
  },
)
