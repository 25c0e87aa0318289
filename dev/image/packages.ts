/** Finds the packages that bundles load, by `package-lock.json`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One package of the lock file; the members that are used. */
export interface LockedPackage {
  /** Only where it differs from the folder. */
  name?: string
  version: string
  license?: string
  dependencies?: Readonly<Record<string, string>>
  peerDependencies?: Readonly<Record<string, string>>
  peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>
}

/** Packages by their folder, `node_modules/name` or deeper. */
export type Lock = Readonly<Record<string, LockedPackage>>

/** Reads `package-lock.json`. @param root its folder */
export function readLock(root: string): Lock {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8')
  return (JSON.parse(text) as { packages: Lock }).packages
}

const MODULES = 'node_modules/'

/** @returns name that requests of the package use: that of its folder */
const nameOfFolder = (folder: string): string =>
  folder.slice(folder.lastIndexOf(MODULES) + MODULES.length)

/** @returns as lists of packages name it: `name@version` */
export function identify(lock: Lock, folder: string): string {
  const { name = nameOfFolder(folder), version } = lock[folder] as LockedPackage
  return `${name}@${version}`
}

/** Finds a package as Node does, from the folder of the one that requires it. */
function findFolder(lock: Lock, name: string, from: string): string | undefined {
  const place = from === '' ? `${MODULES}${name}` : `${from}/${MODULES}${name}`
  if (lock[place] !== undefined) return place
  if (from === '') return undefined
  const parent = from.slice(0, from.lastIndexOf(MODULES))
  return findFolder(lock, name, parent.replace(/\/$/, ''))
}

function requiredNames(one: LockedPackage): string[] {
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = one
  const peers = Object.keys(peerDependencies).filter(
    (name) => peerDependenciesMeta[name]?.optional !== true,
  )
  return [...Object.keys(dependencies), ...peers]
}

/**
 * Lists packages and all that they require, without what is optional.
 *
 * @param names packages of the root; one that is not locked is optional, and left out
 * @returns their folders, sorted
 */
export function listRequired(lock: Lock, names: Iterable<string>): string[] {
  const found = new Set<string>()
  const add = (name: string, from: string) => {
    const folder = findFolder(lock, name, from)
    if (folder === undefined || found.has(folder)) return
    found.add(folder)
    for (const next of requiredNames(lock[folder] as LockedPackage)) add(next, folder)
  }
  for (const name of names) add(name, '')
  return [...found].sort()
}
