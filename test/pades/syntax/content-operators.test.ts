/** Operators are found by their bytes. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { isOperator, operatorAt } from '../../../pades/syntax/content-operators.ts'

/** Annex A of ISO 32000-2. */
const OPERATORS = [
  ...`b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EI EMC ET EX f F f* G g gs h`.split(' '),
  ...`i ID j J K k l m M MP n q Q re RG rg ri s S SC sc SCN scn sh T* Tc Td TD Tf`.split(' '),
  ...`Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' "`.split(' '),
]
const OTHERS = ['A', 'qq', 'bb', 'B**', 'scna', 'BDCx', '\u0080', 'q\u0080']

t.test('exactly the operators of the standard are found, wherever they are', async (t) => {
  for (const name of [...OPERATORS, ...OTHERS]) {
    const data = Buffer.from(`9 ${name} 9`, 'latin1')
    const expected = isOperator(name) ? name : undefined
    t.equal(operatorAt(data, 2, 2 + name.length), expected, name)
  }
  // The content of inline images is read elsewhere.
  const lacking = OPERATORS.filter((name) => !isOperator(name))
  t.same(lacking, ['BI', 'EI', 'ID'])
})
