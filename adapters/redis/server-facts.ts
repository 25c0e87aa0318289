/** Reads the kind of a Redis server from its answer to `INFO`. */

export interface ServerFacts {
  /** `standalone`, `cluster` or `sentinel`; empty when the server does not say. */
  mode: string
  /** `master` or `slave`; empty when the server does not say. */
  role: string
  /** `maxmemory-policy`; empty when the server does not say. */
  evictionPolicy: string
}

/** @param info the answer to `INFO`, which managed services allow even when they refuse `CONFIG` */
export function readServerFacts(info: string): ServerFacts {
  const read = (name: string) => new RegExp(`^${name}:(\\S*)\\s*$`, 'm').exec(info)?.[1] ?? ''
  return {
    mode: read('redis_mode'),
    role: read('role'),
    evictionPolicy: read('maxmemory_policy'),
  }
}
