/** Linters and generators of other makers accept the OpenAPI document. */
import { spawnSync } from 'node:child_process'
import { createRequire, registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
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
  const broken = await linter.run({ ...document, info: { title: 'x', version: '1' } })
  t.ok(broken.length > 0, 'the linter sees faults')
})

/** TypeScript 7 has no API for programs; tap brings version 5, which the generator needs. */
function lendTypeScript(): void {
  const tshy = createRequire(import.meta.url).resolve('tshy/package.json')
  const { href } = pathToFileURL(createRequire(tshy).resolve('typescript'))
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'typescript' && context.parentURL?.includes('/openapi-typescript/')
        ? next(href, context)
        : next(specifier, context),
  })
}

/** What clients import by name. */
const NAMES = [
  ...['AuditEvent', 'Case', 'CaseInput', 'CreatedCase', 'Delivery', 'Device', 'Participant'],
  ...['Problem', 'SignatureField', 'SigningInput', 'ValidationReport', 'WebhookBody'],
]

t.test('openapi-typescript makes types with names', async (t) => {
  lendTypeScript()
  const { default: generate, astToString } = await import('openapi-typescript')
  const types = astToString(await generate((await readDocument(t)) as never))
  for (const name of NAMES) t.match(types, new RegExp(`^ {8}${name}: \\{$`, 'm'), name)
  t.match(types, 'components["schemas"]["Problem"] & {')
  t.match(types, '"application/json": components["schemas"]["Case"];')
  t.match(types, '"case-completed": {')
})
