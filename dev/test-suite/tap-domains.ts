/** Preloaded before test files on Node: replaces the domains of tap by `running-domain.ts`. */
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const DOMAINS = new URL('running-domain.ts', import.meta.url).href

// Threads of a test inherit this preload, and have no tests.
if (isMainThread) {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'async-hook-domain'
        ? { url: DOMAINS, shortCircuit: true }
        : next(specifier, context),
  })
  await import('tap')
  // With hooks, Node finds each module in a slower way.
  hooks.deregister()
}
