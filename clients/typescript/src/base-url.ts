/** Checks the URL of the service that a caller gives. */

/**
 * Returns the URL of the service without a slash at its end.
 *
 * @throws TypeError when it is not an absolute URL of HTTP: `fetch` fails with it as when a
 *   connection is lost, and a kiosk would try for a day
 */
export function readBaseUrl(baseUrl: string): string {
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) {
    const example = 'such as https://sign.example.com'
    throw new TypeError(`baseUrl must be a URL with http or https, ${example}: it is "${baseUrl}"`)
  }
  return baseUrl.replace(/\/+$/, '')
}
