/** Programs with any changed octet get a verdict: the judge of fonts never fails. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { isCompactFont } from '../../../../pades/syntax/fonts/compact-font.ts'
import { isOpenType, isTrueType } from '../../../../pades/syntax/fonts/sfnt.ts'
import { isTypeOne } from '../../../../pades/syntax/fonts/type-one.ts'
import { compactFont, sfnt, typeOne } from './programs.ts'

const OTTO = 0x4f54544f

/** Each program with one octet changed, and cut off behind it. */
function* changedPrograms(program: Buffer): Generator<Buffer> {
  for (const at of program.keys()) {
    for (let octet = 0; octet < 256; octet += 1) {
      const changed = Buffer.from(program)
      changed[at] = octet
      yield changed
      yield changed.subarray(0, at + 1)
    }
  }
}

t.test('the offset of outlines can be negative', async (t) => {
  const program = compactFont()
  // The operand of CharStrings is the integer behind the operator 28.
  const at = program.lastIndexOf(Buffer.from([28]))
  program.writeInt16BE(-5, at + 1)
  t.notOk(isCompactFont(program))
})

for (const [name, judge, program] of [
  ['compact', isCompactFont, compactFont()],
  ['OpenType', isOpenType, sfnt({ 'CFF ': compactFont() }, OTTO, {})],
  ['TrueType', isTrueType, sfnt()],
  ['Type 1', isTypeOne, typeOne()],
] as const) {
  t.test(`every changed ${name} program has a verdict`, async (t) => {
    t.ok(judge(program))
    let refused = 0
    for (const changed of changedPrograms(program)) refused += judge(changed) ? 0 : 1
    t.ok(refused > 0)
  })
}
