/** `npm run release`: raises the version, commits, tags, and builds the images. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { runTool, UsageError } from '../cli/usage.ts'
import { runRelease } from './release/run.ts'

const USAGE = `usage: npm run release -- [major|minor|patch|x.y.z] [--dry-run]
                          [--images <prefix> | --no-images]

Raises the version (by default the minor one) in package.json, the chart, the clients and the
documentation, moves the unreleased changes of CHANGELOG.md to a section of their own, commits,
tags, and builds both images. Refuses a tree with changes. Pushes nothing.

  --dry-run           print what would change, and change nothing
  --images <prefix>   registry and folder of the images, such as images.example.com/
  --no-images         build no images, for machines without docker`

const ROOT = join(import.meta.dirname, '..')

function run(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error ?? status}`)
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      images: { type: 'string', default: '' },
      'no-images': { type: 'boolean', default: false },
    },
  })
  const [increment = 'minor', ...rest] = positionals
  if (rest.length > 0) throw new UsageError('give one version')
  runRelease({
    root: ROOT,
    increment,
    date: new Date().toISOString().slice(0, 10),
    images: values.images,
    isDryRun: values['dry-run'],
    print: (line) => console.log(line),
    generate: () => run(process.execPath, ['dev/generate.ts']),
    ...(values['no-images'] ? {} : { docker: (args) => run('docker', args) }),
  })
  return 0
}

await runTool(main, USAGE)
