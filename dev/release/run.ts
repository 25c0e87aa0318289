/** Carries out a release in a clone: writes files, commits, tags and builds the images. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { planRelease, RELEASE_FILES, ReleaseError, type ReleasePlan } from './plan.ts'

/** Options of a release. */
export interface ReleaseOptions {
  /** Folder of the repository. */
  root: string
  /** `major`, `minor`, `patch` or a version. */
  increment: string
  /** ISO date. */
  date: string
  /** Prefix of the image names, such as `images.example.com/`. */
  images: string
  isDryRun: boolean
  print(line: string): void
  /** Regenerates the files that follow from the version. */
  generate(): void
  /** Runs `docker` with these arguments; absent: no images. @throws Error when it fails */
  docker?: (args: readonly string[]) => void
}

const MAXIMUM_LISTED = 10

function git(root: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new ReleaseError(`git ${args[0]} failed: ${stderr.trim()}`)
  return stdout.trim()
}

/** Refuses a tree with changes and a tag that exists. */
function checkTree(root: string): void {
  const changes = git(root, 'status', '--porcelain').split('\n').filter(Boolean)
  if (changes.length === 0) return
  const listed = changes.slice(0, MAXIMUM_LISTED).join('\n')
  throw new ReleaseError(`the tree has changes; commit or remove them first:\n${listed}`)
}

function describe({ version, tag, files, notes, images }: ReleasePlan, old: Map<string, string>) {
  const changes = [...files].flatMap(([path, text]) => {
    const before = (old.get(path) ?? '').split('\n')
    const added = text.split('\n').filter((line) => !before.includes(line))
    return [path, ...added.map((line) => `  + ${line}`)]
  })
  return [
    `version ${version}`,
    ...changes,
    'changelog of this version:',
    ...notes.split('\n').map((line) => `  ${line}`),
    `git commit -m "release: ${version}"`,
    `git tag -a ${tag}`,
    ...images.map((args) => `docker ${args.join(' ')}`),
  ]
}

/**
 * Makes a release, or prints what it would do. Nothing is pushed.
 *
 * @throws ReleaseError when the tree has changes, the tag exists, or the changelog is empty
 */
export function runRelease(options: ReleaseOptions): ReleasePlan {
  const { root, increment, date, images, isDryRun, print } = options
  checkTree(root)
  const texts = new Map(RELEASE_FILES.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  const plan = planRelease(texts, increment, date, images)
  if (git(root, 'tag', '--list', plan.tag) !== '') throw new ReleaseError(`${plan.tag} exists`)
  if (isDryRun) {
    describe(plan, texts).forEach(print)
    return plan
  }
  // Fails before anything is written.
  options.docker?.(['--version'])
  for (const [path, text] of plan.files) writeFileSync(join(root, path), text)
  options.generate()
  git(root, 'commit', '--all', '--message', `release: ${plan.version}`)
  git(root, 'tag', '--annotate', plan.tag, '--message', `sigcase ${plan.version}\n\n${plan.notes}`)
  for (const args of plan.images) options.docker?.(args)
  print(`released ${plan.tag}; push the commit, the tag and the images`)
  return plan
}
