/**
 * `node dev/image/fill-image.ts APP PAGES LIST`: fills the folder `/app` of the images with bundles
 * and with the packages that they load, and another folder with the pages, which must have been
 * built. It writes licences and the bill of materials of each. LIST is what `npm sbom` prints of
 * the whole repository.
 */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { buildPrograms, readBundles, type BundleFile } from '../build-programs.ts'
import { reduceBill, type BillOfMaterials } from './bill-of-materials.ts'
import { composeLicences } from './licences.ts'
import { identify, listRequired, readLock } from './packages.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const BUNDLES = 'runtime'
/** Programs that containers of a cluster and operators run, and those that these start. */
export const IMAGE_PROGRAMS = [
  'api',
  'check-installation',
  'controller',
  'drawings',
  'pkcs11',
  'reader',
  'sandbox',
  'sigcase',
  'worker',
] as const
/** Packages that are read by their path: `pades/appearance`. */
const FONTS = /^(dejavu-fonts-ttf|@fontsource\/noto-.*)$/
const PACKAGE_NAME = /^(@[^/]+\/)?[^/]+/

interface Manifest {
  name: string
  version: string
  license: string
  type: string
  dependencies: Record<string, string>
}

/** What an image contains. */
export interface ImageContent {
  /** Files of the bundles, from `runtime`. */
  files: string[]
  /** Folders of packages whose code is in the bundles. */
  bundled: string[]
  /** Folders of packages beside the bundles. */
  installed: string[]
}

/** Follows the imports of programs. @returns what they load and contain */
function follow(bundles: Readonly<Record<string, BundleFile>>, programs: readonly string[]) {
  const files = new Set<string>()
  const bundled = new Set<string>()
  const outside = new Set<string>()
  const add = (name: string): void => {
    const file = bundles[name]
    if (file === undefined) outside.add(name)
    if (file === undefined || files.has(name)) return
    files.add(name)
    for (const one of file.packages) bundled.add(one)
    for (const one of file.imports) add(one)
  }
  for (const program of programs) add(`dist/${program}.js`)
  return { files: [...files].sort(), bundled: [...bundled].sort(), outside: [...outside] }
}

/** @returns what the images contain; the programs must have been bundled */
export function listContent(): ImageContent {
  const { files, bundled, outside } = follow(readBundles(), IMAGE_PROGRAMS)
  const { dependencies } = readManifest()
  const fonts = Object.keys(dependencies).filter((name) => FONTS.test(name))
  const names = outside.map((specifier) => PACKAGE_NAME.exec(specifier)?.[0] ?? '')
  return { files, bundled, installed: listRequired(readLock(ROOT), [...names, ...fonts]) }
}

const readManifest = () => JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest

/** Links files, which takes no space; another file system gets copies. */
function place(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  try {
    linkSync(source, target)
  } catch {
    copyFileSync(source, target)
  }
}

/** Places a package without the packages within it, which have their own place in the list. */
function placePackage(folder: string, target: string): void {
  const from = join(ROOT, folder)
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(from.length + 1)
    if (!entry.isFile() || path.startsWith('node_modules/')) continue
    place(join(from, path), join(target, folder, path))
  }
}

/** The manifest names only the packages that are installed. */
function reduceManifest(installed: readonly string[]): object {
  const { name, version, license, type, dependencies } = readManifest()
  const kept = Object.entries(dependencies).filter(([one]) =>
    installed.includes(`node_modules/${one}`),
  )
  return { name, version, license, type, private: true, dependencies: Object.fromEntries(kept) }
}

/**
 * Fills a folder as `/app` of the images. Bundles the programs first, if a source changed.
 *
 * @param folder absolute path
 * @returns what it contains
 */
export async function fillImage(folder: string): Promise<ImageContent> {
  await buildPrograms()
  const content = listContent()
  const { files, bundled, installed } = content
  for (const file of files.flatMap((name) => [name, `${name}.map`])) {
    const source = join(ROOT, BUNDLES, file)
    // A file with nothing but packages has no map. The next build writes into files of this one.
    if (!existsSync(source)) continue
    const target = join(folder, BUNDLES, file)
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(source, target)
  }
  for (const one of installed) placePackage(one, folder)
  for (const file of ['LICENSE', 'deno.json']) place(join(ROOT, file), join(folder, file))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('package.json', `${JSON.stringify(reduceManifest(installed), undefined, 2)}\n`)
  write('licences.txt', composeLicences(ROOT, readLock(ROOT), bundled))
  execFileSync('sh', [join(import.meta.dirname, 'keep-what-runs.sh'), folder])
  return content
}

/** @param folders of packages whose code is in the folder */
function writeBill(folder: string, all: BillOfMaterials, folders: readonly string[]): void {
  const lock = readLock(ROOT)
  const bill = reduceBill(
    all,
    folders.map((one) => identify(lock, one)),
  )
  writeFileSync(join(folder, 'sbom.json'), `${JSON.stringify(bill, undefined, 2)}\n`)
}

/** Copies the pages, and writes what they contain beside them. */
function fillPages(folder: string, all: BillOfMaterials): void {
  const web = join(folder, 'web')
  cpSync(join(ROOT, 'web/dist'), join(web, 'dist'), { recursive: true })
  const text = readFileSync(join(web, 'dist/packages.json'), 'utf8')
  const folders = JSON.parse(text) as string[]
  writeFileSync(join(web, 'licences.txt'), composeLicences(ROOT, readLock(ROOT), folders))
  writeBill(web, all, folders)
}

if (import.meta.main) {
  const [folder = '', pages = '', list = ''] = process.argv.slice(2)
  const all = JSON.parse(readFileSync(list, 'utf8')) as BillOfMaterials
  const { bundled, installed } = await fillImage(folder)
  writeBill(folder, all, [...bundled, ...installed])
  fillPages(pages, all)
}
