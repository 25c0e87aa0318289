/** Calculators give as many numbers as they must, on every way through them. */
import t from 'tap'
import { isKnownCalculator } from '../../../../pades/syntax/graphics/calculators.ts'

const TAKEN: readonly (readonly [code: string, inputs: number, outputs: number])[] = [
  ['{ }', 1, 1],
  ['{ pop 0 }', 1, 1],
  ['{ dup 0.5 gt { pop 1 } { 2 mul } ifelse }', 1, 1],
  ['{dup 1 exch sub exch .3 mul 0 0}', 1, 4],
  ['{ exch 3 1 roll 3 -1 roll add }', 3, 2],
  ['{ 2 copy add 3 1 roll pop pop }', 2, 1],
  ['{ 1 index mul exch pop }', 2, 1],
  ['{ dup 0 lt { pop 0 } if 2 div }', 1, 1],
  ['{ dup 0 ge 1 index 1 le and not { pop 1 } if }', 1, 1],
  ['{ 360 mul sin abs cvr floor }', 1, 1],
]
for (const [code, inputs, outputs] of TAKEN) {
  t.test(`taken: ${code}`, async (t) => t.ok(isKnownCalculator(code, inputs, outputs)))
}

const REFUSED = [
  ...['', '{', '} {', '{ } { }', '{ quit }', '{ pop }', '{ dup }', '{ pop 1 0 }', '{ pop true }'],
  ...['{ add }', '{ exch }', '{ 1 index }', '{ 2 copy pop }', '{ 5 1 roll }', '{ dup roll }'],
  ...['{ 0 div }', '{ dup div }', '{ true and { 0 } { 1 } ifelse }', '{ 1 and }', '{ not }'],
  ...['{ pop 1 33 bitshift }', '{ cvi 2 idiv }', '{ 3 mod }', '{ ln }', '{ sqrt }', '{ 0.5 exp }'],
  ...['{ round }', '{ 0 gt { 1 } if }', '{ dup 0 gt { pop } { } ifelse }', '{ { 1 } }'],
  ...['{ dup 0 gt { pop true } { } ifelse }', '{ 0 gt 1 ifelse }', '{ 1.5 index }'],
  `{ ${'dup '.repeat(101)}${'pop '.repeat(101)} }`,
  ...['{ pop 1\u00a0}', '{\u000bpop 1 }', '{ 1\u00a0exch sub }', '{ pop 1 % 0\n}'],
  `${'{ '.repeat(40)}${'} '.repeat(40)}`,
]
for (const code of REFUSED) {
  t.test(`refused: ${code.slice(0, 60)}`, async (t) => t.notOk(isKnownCalculator(code, 1, 1)))
}
