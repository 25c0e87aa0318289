import t from 'tap'
import { pdfNumbers } from '../../../pades/appearance/numbers.ts'

t.test('numbers have two decimals and no exponent (ISO 32000-2, 7.3.3)', async (t) => {
  t.equal(pdfNumbers(1, 1.005, 0.1 + 0.2, -2.5), '1 1 0.3 -2.5')
  t.equal(pdfNumbers(1e-9, -1e-9), '0 0')
  t.equal(pdfNumbers(123456.789), '123456.79')
})
