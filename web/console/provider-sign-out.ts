/** Where a session at the provider ends (OpenID Connect RP-Initiated Logout 1.0, section 2). */
import { useEffect, useState } from 'preact/hooks'
import { discover, readWebUrl, type Provider } from './pkce.ts'

/**
 * Returns the address at which the provider ends its session. It has no `id_token_hint`, because
 * that token may be the credential for the API, and addresses are logged (decision 279).
 *
 * @returns undefined for a provider that has no such address
 * @throws Error when the provider cannot be reached, or its address is not that of a web page
 */
async function signOutUrl(provider: Provider): Promise<string | undefined> {
  const { end_session_endpoint: endpoint } = await discover(provider)
  if (endpoint === undefined) return undefined
  const url = readWebUrl(endpoint)
  url.searchParams.set('client_id', provider.clientId)
  return url.href
}

/** The same for a page; undefined until the provider has answered. */
export function useProviderSignOut(provider: Provider): string | undefined {
  const [url, setUrl] = useState<string | undefined>(undefined)
  useEffect(() => {
    signOutUrl(provider).then(setUrl, () => undefined)
  }, [provider])
  return url
}
