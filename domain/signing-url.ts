/** What a signing link looks like: the token stands where no server and no log gets to see it. */

/** @param baseUrl without a slash at its end */
export function signingUrl(baseUrl: string, participantId: string, token: string): string {
  return `${baseUrl}/sign/${participantId}#${token}`
}
