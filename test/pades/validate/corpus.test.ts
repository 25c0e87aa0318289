/**
 * Signed files of other projects: none that their tests refuse passes here, none breaks the reader.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { PadesError } from '../../../pades/errors.ts'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { CORPUS } from '../../fixtures/corpus.ts'
import { disagreements } from './disagreements.ts'
import type { Row } from './disagreements.ts'

const folder = join(CORPUS, 'pdf-validation')
const skip = existsSync(folder) ? false : 'no corpus folder'

const rows: readonly Row[] = skip
  ? []
  : (JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Row[])

const anchor = (id: string) => new Uint8Array(readFileSync(join(folder, 'roots', `${id}.der`)))

/** The most trusting way of asking, so that nothing is refused for want of trust. */
function optionsOf({ perSignature = [] }: Row['expected']) {
  const trust = perSignature.flatMap(({ withTrust }) => withTrust ?? [])
  return {
    trustAnchors: [...new Set(trust.flatMap(({ roots }) => roots))].map(anchor),
    validationTime: new Date(trust[0]?.at ?? '2021-01-01T00:00:00Z'),
    acceptUncheckedRevocation: true,
  }
}

/** File, of what, what others say, what we say. */
const table: string[][] = []

for (const { file, expected } of rows) {
  t.test(`${file}: ${expected.verdict}`, { skip }, async (t) => {
    const report = await validateSignatures(
      new Uint8Array(readFileSync(join(folder, file))),
      optionsOf(expected),
    ).catch((error: unknown) => {
      if (error instanceof PadesError) return undefined
      throw error
    })
    const signatures = report?.signatures ?? []
    for (const { about, expected: theirs, ours } of disagreements({ file, expected }, report)) {
      table.push([file, about, theirs, ours])
    }
    if (expected.verdict === 'fail') {
      t.notOk(signatures.some(({ indication }) => indication === 'TOTAL_PASSED'))
    }
    if (expected.verdict === 'not_pass') {
      const passed = signatures.filter(({ indication }) => indication === 'TOTAL_PASSED')
      t.notOk(passed.length > 0 && passed.length === signatures.length)
    }
    if (expected.verdict === 'pass_integrity') {
      t.notOk(signatures.some(({ indication }) => indication === 'TOTAL_FAILED'))
    }
    if (expected.verdict === 'no_signature') t.equal(signatures.length, 0)
    // What the other project saw as a forbidden change is one here as well.
    for (const [index, { modification }] of (expected.perSignature ?? []).entries()) {
      if (modification !== 'OTHER' || expected.perSignature?.length !== signatures.length) continue
      t.equal(signatures[index].modifications.level, 'OTHER')
    }
  })
}

t.test('where others say something else', { skip }, async (t) => {
  for (const line of table) t.comment(line.join(' | '))
  t.comment(`${table.length} disagreements in ${rows.length} files`)
  t.pass('each is explained in docs/decisions/')
})
