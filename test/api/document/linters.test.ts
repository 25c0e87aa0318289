/** Linters of other makers accept the OpenAPI document. */
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import spectral from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import t from 'tap'
import { readDocument } from '../../fixtures/api-document.ts'

t.setTimeout(300_000)

const ROOT = join(import.meta.dirname, '../../..')
const REDOCLY = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js')
/** The linter asks no server for its news and reports nothing. */
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

t.test('Redocly finds no error and no warning', (t) => {
  const args = ['lint', '--extends=recommended', '--format=json', join(ROOT, 'api/openapi.json')]
  const { stdout } = spawnSync(process.execPath, [REDOCLY, ...args], {
    cwd: tmpdir(),
    encoding: 'utf8',
    env: { ...process.env, ...OFFLINE },
  })
  const { totals, problems } = JSON.parse(stdout) as { totals: object; problems: object[] }
  t.same(problems, [])
  t.same(totals, { errors: 0, warnings: 0, ignored: 0 })
  t.end()
})

t.test('Spectral finds no error and no warning', async (t) => {
  const linter = new spectral.Spectral()
  linter.setRuleset({ extends: [[rulesets.oas, 'recommended']] } as never)
  const document = await readDocument(t)
  t.same(await linter.run(document), [])
  const broken = await linter.run({ ...document, info: { title: 'x', version: '1' }, paths: {} })
  t.ok(broken.length > 0, 'the linter sees faults')
})
