import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { nextVersion, planRelease, RELEASE_FILES } from '../../../dev/release/plan.ts'
import { VERSION } from '../../../domain/version.ts'
import { files, ROOT } from '../../fixtures/source-tree.ts'

const DATE = '2026-11-23'
const NEXT = '97.98.99'
const ADDED = '### Added\n\n- One.'
const OLDER = '## [0.0.9] - 2026-01-01\n\n- Old.\n'
const texts = new Map(RELEASE_FILES.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
// Directly after a release, the one of the repository has no unreleased changes.
texts.set('CHANGELOG.md', `# Changelog\n\n## [Unreleased]\n\n${ADDED}\n\n${OLDER}`)

t.test('a version is raised, or given', async (t) => {
  t.equal(nextVersion('1.2.3', 'major'), '2.0.0')
  t.equal(nextVersion('1.2.3', 'minor'), '1.3.0')
  t.equal(nextVersion('1.2.3', 'patch'), '1.2.4')
  t.equal(nextVersion('1.2.3', '1.10.0'), '1.10.0')
  for (const wrong of ['1.2.3', '1.1.9', 'next', '1.2']) {
    t.throws(() => nextVersion('1.2.3', wrong), { name: 'ReleaseError' }, wrong)
  }
})

t.test('no file keeps the old version', async (t) => {
  const plan = planRelease(texts, NEXT, DATE, 'images.example.com/')
  const version = VERSION.replaceAll('.', '\\.')
  // Other things can have the same version: only lines about this project count.
  const isOld = new RegExp(`^.*(sigcase|version).*(?<![\\d.])${version}(?!\\.?\\d)`, 'im')
  /** `npm run generate` writes these from the version. */
  const isGenerated = (path: string) =>
    /^(api\/openapi\.json|clients\/(collection\/.*|.*\/types\.(ts|py)))$/.test(path)
  const kept = files
    .map(({ path, text }) => ({ path, text: plan.files.get(path) ?? text }))
    .filter(({ path, text }) => path !== 'CHANGELOG.md' && !isGenerated(path) && isOld.test(text))
  t.strictSame(
    kept.map(({ path }) => path),
    [],
  )
  t.match(plan.files.get('charts/sigcase/Chart.yaml'), `version: ${NEXT}\nappVersion: ${NEXT}`)
  const lock = JSON.parse(plan.files.get('package-lock.json') ?? '')
  t.strictSame([lock.version, lock.packages[''].version], [NEXT, NEXT])
})

t.test('the unreleased changes get a section, and the next ones a place', async (t) => {
  const plan = planRelease(texts, NEXT, DATE, '')
  t.equal(plan.notes, ADDED)
  t.equal(
    plan.files.get('CHANGELOG.md'),
    `# Changelog\n\n## [Unreleased]\n\n## [${NEXT}] - ${DATE}\n\n${ADDED}\n\n${OLDER}`,
  )
  const empty = new Map([...texts, ['CHANGELOG.md', '## [Unreleased]\n']])
  t.throws(() => planRelease(empty, NEXT, DATE, ''), /no unreleased changes/)
})

t.test('images carry the version', async (t) => {
  const { images, tag } = planRelease(texts, NEXT, DATE, 'images.example.com/')
  t.equal(tag, `v${NEXT}`)
  t.strictSame(
    images.map((args) => args.join(' ')),
    ['node', 'deno'].map(
      (target) => `build --target ${target} --tag images.example.com/sigcase-${target}:${NEXT} .`,
    ),
  )
})
