import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { RELEASE_FILES } from '../../../dev/release/plan.ts'
import { runRelease } from '../../../dev/release/run.ts'
import { ROOT } from '../../fixtures/source-tree.ts'

/** A repository with the files of a release. */
function clone(t: Test) {
  const root = t.testdir({})
  for (const path of RELEASE_FILES) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    cpSync(join(ROOT, path), join(root, path))
  }
  writeFileSync(join(root, 'CHANGELOG.md'), '## [Unreleased]\n\n- One.\n')
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  git('init', '--quiet')
  git('config', 'user.name', 'Test')
  git('config', 'user.email', 'test@example.com')
  git('add', '.')
  git('commit', '--quiet', '--message', 'start')
  const lines: string[] = []
  const docker: string[] = []
  const run = (isDryRun: boolean) =>
    runRelease({
      root,
      increment: '97.98.99',
      date: '2026-11-23',
      images: '',
      isDryRun,
      print: (line) => void lines.push(line),
      generate: () => writeFileSync(join(root, 'domain/version.ts'), '// generated\n'),
      docker: (args) => void docker.push(args.join(' ')),
    })
  return { root, git, run, lines, docker }
}

t.test('a dry run prints what a release does, and changes nothing', async (t) => {
  const { git, run, lines, docker } = clone(t)
  run(true)
  t.equal(git('status', '--porcelain'), '')
  t.equal(git('tag'), '')
  t.strictSame(docker, [])
  for (const line of ['version 97.98.99', '  + appVersion: 97.98.99', 'git tag -a v97.98.99']) {
    t.ok(lines.includes(line), line)
  }
})

t.test('a release commits, tags and builds the images', async (t) => {
  const { root, git, run, docker } = clone(t)
  run(false)
  t.equal(git('log', '-1', '--format=%s'), 'release: 97.98.99')
  t.equal(git('status', '--porcelain'), '')
  t.match(git('tag', '-n1'), /v97\.98\.99 +sigcase 97\.98\.99/)
  t.match(readFileSync(join(root, 'domain/version.ts'), 'utf8'), 'generated', 'after the versions')
  t.match(docker, ['--version', /--target node/, /--target deno/])
})

t.test('nothing is written without docker', async (t) => {
  const { root, git } = clone(t)
  const docker = () => {
    throw new Error('docker is missing')
  }
  const increment = { root, increment: 'minor', date: '2026-11-23', images: '', isDryRun: false }
  const silent = { print: () => undefined, generate: () => undefined }
  t.throws(() => runRelease({ ...increment, ...silent, docker }), /docker is missing/)
  t.equal(git('status', '--porcelain'), '')
  runRelease({ ...increment, ...silent })
  t.match(git('tag'), /^v/, 'without images')
})

t.test('a tree with changes and a tag that exists are refused', async (t) => {
  const { root, git, run } = clone(t)
  writeFileSync(join(root, 'new.txt'), '')
  for (const isDryRun of [true, false])
    t.throws(() => run(isDryRun), /the tree has changes.*\n.*new\.txt/)
  git('add', '.')
  git('commit', '--quiet', '--message', 'more')
  git('tag', 'v97.98.99')
  t.throws(() => run(false), /v97\.98\.99 exists/)
})
