/** The sources of the TypeScript client under the name that tenants import. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from './packed.ts'

const SOURCE = join(ROOT, 'clients/typescript/src/index.ts')

/** For a compiler: where the types of the client are. */
export const CLIENT_PATHS = { '@sigcase/client': [SOURCE] }

/** Makes `import '@sigcase/client'` work in a folder without an installation of the package. */
export async function linkClient(folder: string): Promise<void> {
  const client = join(folder, 'node_modules/@sigcase/client')
  const manifest = { name: '@sigcase/client', type: 'module', exports: './index.js' }
  await mkdir(client, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(client, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(client, 'index.js'), `export * from ${JSON.stringify(SOURCE)}\n`)
}
