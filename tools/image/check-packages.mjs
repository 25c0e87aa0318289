/**
 * Imports the packages of an image of which `keep-what-runs.sh` removes a part, so that the build
 * fails when a new version of a package needs that part: `node check-packages.mjs`, in `/app`.
 */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const REDUCED = [
  '@kubernetes/client-node/dist/config.js',
  '@kubernetes/client-node/dist/watch.js',
  '@kubernetes/client-node/dist/gen/http/http.js',
  'pdf-lib',
  'bullmq',
]

const { resolve } = createRequire('/app/package.json')
for (const name of REDUCED) await import(pathToFileURL(resolve(name)).href)
