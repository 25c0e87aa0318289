/** The script of Scalar, which draws `/docs`, as a file of the pages (decision 204). */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGE = join(import.meta.dirname, '../node_modules/@scalar/fastify-api-reference')
const SCRIPT_URL = '/docs/js/scalar.js'

/** Reads the script from its plugin for Fastify, which has it as a string and exports no file. */
async function readScript(): Promise<string> {
  // Imported here, because only a build of the pages needs them.
  const [{ default: Fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  const holder = Fastify()
  await holder.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { statusCode, body } = await holder.inject({ url: SCRIPT_URL })
  await holder.close()
  if (statusCode !== 200) throw new Error(`the plugin of Scalar has no ${SCRIPT_URL}`)
  return body
}

/** Folder of the script under `web/dist`; the version is in its name, because caches keep it. */
export function scalarFolder(): string {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
    version: string
  }
  return `assets/scalar-${version}`
}

/** Writes the script and its licence. @param folder absolute path */
export async function writeScalar(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'scalar.js'), await readScript())
  copyFileSync(join(PACKAGE, 'LICENSE'), join(folder, 'LICENSE'))
}
