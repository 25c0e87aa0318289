/** Wraps single methods of a port; everything else remains that of the port. */

/** A method that makes a call. */
export type Call = (...args: unknown[]) => Promise<unknown>

/**
 * Replaces the given methods of a port. All other members are those of the port, also for
 * `instanceof`.
 *
 * @param wrap returns what is called instead of the method
 */
export function wrapCalls<T extends object>(
  port: T,
  methods: readonly (keyof T & string)[],
  wrap: (method: string, call: Call) => unknown,
): T {
  // Methods use private members of the port itself, so they are bound to it.
  const bound = new Map<string | symbol, unknown>()
  return new Proxy(port, {
    get(target, name) {
      if (bound.has(name)) return bound.get(name)
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      const method = value.bind(target) as Call
      const isCall = methods.some((one) => one === name)
      const made = isCall ? wrap(String(name), method) : method
      bound.set(name, made)
      return made
    },
  })
}
