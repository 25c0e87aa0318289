/** Computes what a release changes: versions in files, the changelog, the tag and the images. */

/** Text files by path from the repository root. */
export type Texts = ReadonlyMap<string, string>

/** What a release does. */
export interface ReleasePlan {
  version: string
  /** New texts of the files that change. */
  files: Texts
  /** Name of the annotated tag. */
  tag: string
  /** Section of the changelog, without its heading. */
  notes: string
  /** Arguments of `docker` for each image. */
  images: readonly (readonly string[])[]
}

/** Wrong input, or a repository that cannot be released; the message is for the user. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError'
}

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/
const CHANGELOG = 'CHANGELOG.md'
const UNRELEASED = '## [Unreleased]'
const IMAGES = ['node', 'deno'] as const

/** A file with the version; `find` matches it, with the version between two groups. */
interface VersionPlace {
  path: string
  find: RegExp
}

/** Files with the version; `npm run generate` writes the others from them. */
const PLACES: readonly VersionPlace[] = [
  { path: 'package.json', find: /^(  "version": ")[^"]+(")/m },
  { path: 'package-lock.json', find: /^(\{\n  "name": "sigcase",\n  "version": ")[^"]+(")/ },
  {
    path: 'package-lock.json',
    find: /^(    "": \{\n      "name": "sigcase",\n      "version": ")[^"]+(")/m,
  },
  { path: 'domain/version.ts', find: /^(export const VERSION = ')[^']+(')/m },
  { path: 'clients/typescript/package.json', find: /^(  "version": ")[^"]+(")/m },
  { path: 'clients/python/pyproject.toml', find: /^(version = ")[^"]+(")/m },
  { path: 'charts/sigcase/Chart.yaml', find: /^(version: ).+()$/m },
  { path: 'charts/sigcase/Chart.yaml', find: /^(appVersion: ).+()$/m },
  { path: 'docs/how-to/install-on-a-cluster.md', find: /(sigcase-(?:node|deno):)[\d.]+( |$)/gm },
  { path: 'docs/how-to/install-on-gke.md', find: /(sigcase-\$runtime:)[\d.]+()/g },
  { path: 'docs/how-to/use-a-client.md', find: /(sigcase-client-)[\d.]+(\.tgz)/g },
]

/** Files that {@link planRelease} reads. */
export const RELEASE_FILES: readonly string[] = [
  ...new Set([...PLACES.map(({ path }) => path), CHANGELOG]),
]

/**
 * Computes the next version.
 *
 * @param increment `major`, `minor`, `patch`, or a version above the current one
 * @throws ReleaseError
 */
export function nextVersion(current: string, increment: string): string {
  const numbers = (version: string) => (VERSION.exec(version) ?? []).slice(1).map(Number)
  const [major = 0, minor = 0, patch = 0] = numbers(current)
  if (increment === 'major') return `${major + 1}.0.0`
  if (increment === 'minor') return `${major}.${minor + 1}.0`
  if (increment === 'patch') return `${major}.${minor}.${patch + 1}`
  const given = numbers(increment)
  if (given.length === 0) throw new ReleaseError(`${increment} is not major, minor, patch or x.y.z`)
  const steps = [major, minor, patch].map((number, index) => (given[index] ?? 0) - number)
  const isHigher = (steps.find((step) => step !== 0) ?? 0) > 0
  if (!isHigher) throw new ReleaseError(`${increment} is not above ${current}`)
  return increment
}

/** Gives the unreleased changes a heading with version and date. @throws ReleaseError */
function releaseChangelog(text: string, version: string, date: string) {
  const start = text.indexOf(UNRELEASED)
  if (start < 0) throw new ReleaseError(`${CHANGELOG} has no ${UNRELEASED}`)
  const body = text.slice(start + UNRELEASED.length)
  const end = body.search(/^## \[/m)
  const notes = (end < 0 ? body : body.slice(0, end)).trim()
  if (!/^- /m.test(notes)) throw new ReleaseError(`${CHANGELOG} has no unreleased changes`)
  const older = end < 0 ? '' : `\n\n${body.slice(end).trim()}`
  const head = text.slice(0, start) + UNRELEASED
  return { notes, text: `${head}\n\n## [${version}] - ${date}\n\n${notes}${older}\n` }
}

/** Replaces the version in every place. @throws ReleaseError when a place has no version */
function replaceVersions(texts: Texts, version: string): Map<string, string> {
  const files = new Map<string, string>()
  for (const { path, find } of PLACES) {
    const text = files.get(path) ?? texts.get(path) ?? ''
    if (text.search(find) < 0) throw new ReleaseError(`${path} has no version at ${find.source}`)
    files.set(path, text.replace(find, `$1${version}$2`))
  }
  return files
}

/**
 * Plans a release.
 *
 * @param texts the files of {@link RELEASE_FILES}
 * @param increment see {@link nextVersion}
 * @param date ISO date of the release
 * @param images registry and folder of the images, such as `images.example.com/`; may be empty
 * @throws ReleaseError
 */
export function planRelease(
  texts: Texts,
  increment: string,
  date: string,
  images: string,
): ReleasePlan {
  const current = /"version": "([^"]+)"/.exec(texts.get('package.json') ?? '')?.[1] ?? ''
  const version = nextVersion(current, increment)
  const changelog = releaseChangelog(texts.get(CHANGELOG) ?? '', version, date)
  return {
    version,
    files: new Map([...replaceVersions(texts, version), [CHANGELOG, changelog.text]]),
    tag: `v${version}`,
    notes: changelog.notes,
    images: IMAGES.map((target) => [
      'build',
      '--target',
      target,
      '--tag',
      `${images}sigcase-${target}:${version}`,
      '.',
    ]),
  }
}
