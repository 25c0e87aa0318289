import t from 'tap'
import { maskContact } from '../../domain/mask.ts'

t.test('an address keeps its first letters and its ending', async (t) => {
  t.equal(maskContact('jana@example.sk'), 'j***@e***.sk')
  t.equal(maskContact('j@mail.example.co.uk'), 'j***@m***.uk')
  t.equal(maskContact('šťastný@localhost'), 'š***@l***')
  t.equal(maskContact('"a@b"@example.sk'), '"***@e***.sk')
})

t.test('a number keeps its country and its last three digits', async (t) => {
  t.equal(maskContact('+421 905 123 123'), '+421 *** *** 123')
  t.equal(maskContact('+1 (202) 555-0143'), '+1 *** *** 143')
  t.equal(maskContact('+442079460958'), '+44 *** *** 958')
  t.equal(maskContact('0905/123 456'), '*** *** 456')
})

t.test('a number that is too short to mask is not shown at all', async (t) => {
  t.equal(maskContact('112'), '*** ***')
  t.equal(maskContact('123456'), '*** ***')
  t.equal(maskContact('1234567'), '*** *** 567', 'seven digits are enough')
  t.equal(maskContact(''), '*** ***')
})
