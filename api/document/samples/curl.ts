/** Samples for curl in a POSIX shell. */
import { fillPath, indentLines, variableOf, type SampleRequest } from './request.ts'

/** Escapes a text between single quotes. */
const inQuotes = (text: string) => text.replaceAll("'", "'\\''")

/** Writes the command that sends a request. */
export function curlSample(request: SampleRequest): string {
  const { baseUrl, method, target, tokenName, body, takesIdempotencyKey } = request
  const url = `${baseUrl}${fillPath(target, (name) => `$${variableOf(name)}`)}`
  const lines = [
    `curl --fail-with-body${method === 'GET' ? '' : ` -X ${method}`} "${url}"`,
    ...(tokenName === undefined ? [] : [`  -H "Authorization: Bearer $${tokenName}"`]),
    ...(takesIdempotencyKey ? ['  -H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body === undefined
      ? []
      : [
          `  -H 'Content-Type: application/json'`,
          `  --data '${inQuotes(indentLines(JSON.stringify(body, null, 2), 2).trimStart())}'`,
        ]),
  ]
  return lines.join(' \\\n')
}
