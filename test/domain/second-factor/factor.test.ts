import t from 'tap'
import {
  destinationOf,
  phoneNumberOf,
  secondFactorOf,
} from '../../../domain/second-factor/factor.ts'
import { participant, signatureCase } from '../../fixtures/signature-case.ts'

t.test('a code replaces the PIN of a case (specification 4.1)', async (t) => {
  const of = (more: object) => secondFactorOf({ ...signatureCase().spec.definition, ...more })
  t.equal(of({}), undefined)
  t.equal(of({ pinRequired: true }), 'pin')
  t.equal(of({ pinRequired: true, multiFactorType: 'SMS' }), 'code')
})

t.test('a telephone number is read with its usual separators', async (t) => {
  t.equal(phoneNumberOf('+421 (0)905/123-456'), '+4210905123456')
  t.equal(phoneNumberOf('123456'), '123456')
  for (const text of ['', '12345', '1'.repeat(16), '+', '++421905123', '0905 x', '٠٩٠٥١٢٣']) {
    t.equal(phoneNumberOf(text), undefined, text)
  }
})

t.test('a code goes to the address of its channel', async (t) => {
  const one = participant(1, { email: 'a@x.example', phone: '+421 905 123 456' })
  t.equal(destinationOf('EMAIL', one), 'a@x.example')
  t.equal(destinationOf('SMS', one), '+421905123456')
  t.equal(destinationOf('SMS', participant(1, { phone: 'none' })), undefined)
})
