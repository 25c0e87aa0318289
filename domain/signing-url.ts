/** The URL of a signing link; the token is in the fragment, which servers and logs do not see. */

/** @param baseUrl without a trailing slash */
export function signingUrl(baseUrl: string, participantId: string, token: string): string {
  return `${baseUrl}/sign/${participantId}#${token}`
}
