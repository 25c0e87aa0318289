/** Preloaded before test files on Node: replaces the domains of tap by `running-domain.ts`. */
import { registerHooks } from 'node:module'

const DOMAINS = new URL('running-domain.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'async-hook-domain'
      ? { url: DOMAINS, shortCircuit: true }
      : next(specifier, context),
})
