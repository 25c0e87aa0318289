/** Reads lists of an API server with a client certificate. */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import type { Buffer } from 'node:buffer'
import { text } from 'node:stream/consumers'
import { API_SERVER } from './layout.ts'

const REQUEST_LIMIT_MS = 10_000

/** @returns reads the items of a collection, by its path */
export function listReader(pki: string): <T>(path: string) => Promise<T[]> {
  const read = (name: string): Buffer => readFileSync(join(pki, name))
  const agent = new Agent({
    keepAlive: true,
    ca: read('ca.crt'),
    cert: read('admin.crt'),
    key: read('admin.key'),
  })
  return async <T>(path: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<T[]>()
    const sent = request(API_SERVER + path, { agent, timeout: REQUEST_LIMIT_MS }, (response) => {
      text(response)
        .then((body) => {
          if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`)
          resolve((JSON.parse(body) as { items: T[] }).items)
        })
        .catch(reject)
    })
    sent.on('timeout', () => sent.destroy(new Error(`${path}: no answer`)))
    sent.on('error', reject)
    sent.end()
    return promise
  }
}
