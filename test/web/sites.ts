/** Sites of tenants that show pages of the service in frames. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** A policy that lets a site load the components and show frames of the service, and no more. */
const sitePolicy = (service: string) =>
  `default-src 'none'; script-src 'self' ${service}; frame-src ${service}`

/**
 * A site of a tenant on a port of its own; the policy is that of a strict site.
 *
 * @param recorder script that the pages of the site load first
 */
export async function openSite(t: Test, recorder: string) {
  const site = { html: '', service: '' }
  const server = createServer(({ url }, response) => {
    const isScript = url === '/recorder.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    if (site.service !== '') {
      response.setHeader('content-security-policy', sitePolicy(site.service))
    }
    response.end(isScript ? recorder : url === '/favicon.ico' ? '' : site.html)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  // Another site than the service, whose host is 127.0.0.1: storage in frames is partitioned.
  return Object.assign(site, { origin: `http://localhost:${port}` })
}
export type Site = Awaited<ReturnType<typeof openSite>>

/** A page of the site. */
export const pageWith = (body: string): string =>
  `<!doctype html><html lang="en"><title>Portal</title>
  <script src="/recorder.js"></script>${body}</html>`
