/** One-time codes: how they are made, and what is kept of them. */
import { createSecretKey, randomInt } from 'node:crypto'
import t from 'tap'
import {
  codeKey,
  hashCode,
  isSameCode,
  makeCode,
  type CodePlace,
} from '../../../domain/second-factor/code.ts'
import { CASE_KEY, keyring, participant } from '../../fixtures/signature-case.ts'

const PLACE: CodePlace = { ...CASE_KEY, participantId: participant(1).id, sendId: 'a' }

t.test('a code has six digits, zeros in front among them, and any is as likely', async (t) => {
  const limits = new Set<number>()
  const fixed = (value: number) =>
    makeCode((limit) => {
      limits.add(limit)
      return value
    })
  t.same([fixed(0), fixed(42), fixed(999_999)], ['000000', '000042', '999999'])
  t.same([...limits], [1_000_000], 'the whole range is asked for')
  const firsts = Array<number>(10).fill(0)
  for (let count = 0; count < 20_000; count++) {
    const code = makeCode((limit) => randomInt(limit))
    if (!/^\d{6}$/.test(code)) t.fail(code)
    firsts[Number(code[0])]! += 1
  }
  // Six standard deviations of a binomial distribution: 20,000 trials of one in ten.
  for (const count of firsts) t.ok(Math.abs(count - 2000) < 6 * Math.sqrt(20_000 * 0.1 * 0.9))
})

t.test('what is kept names its key and holds for one sending alone', async (t) => {
  const kept = hashCode(keyring, PLACE, '123456')
  t.match(JSON.parse(kept), { kid: 'test', mac: /^[0-9a-f]{64}$/ })
  t.notMatch(kept, '123456')
  t.ok(isSameCode(keyring, PLACE, kept, '123456'))
  t.notOk(isSameCode(keyring, PLACE, kept, '123457'))
  const others: Partial<CodePlace>[] = [
    { tenant: 'x' },
    { caseId: 'x' },
    { participantId: 'x' },
    { sendId: 'x' },
  ]
  for (const other of others) {
    t.notOk(isSameCode(keyring, { ...PLACE, ...other }, kept, '123456'))
    t.not(codeKey({ ...PLACE, ...other }), codeKey(PLACE))
  }
})

t.test('what others put in place of a hash matches no code', async (t) => {
  const odd = ['', '{', 'null', '5', '"text"', '[]', '{}', '{"kid":"test"}', '{"kid":1,"mac":1}']
  for (const kept of [...odd, '{"kid":"test","mac":5}', '{"kid":"test","mac":""}']) {
    t.equal(isSameCode(keyring, PLACE, kept, '123456'), false, kept)
  }
})

t.test('another key gives another hash, and a retired one none', async (t) => {
  const kept = hashCode(keyring, PLACE, '123456')
  const secret = createSecretKey(new Uint8Array(32).fill(8))
  const rotated = (find: typeof keyring.find) => ({ current: keyring.current, find })
  t.ok(isSameCode(rotated(keyring.find), PLACE, kept, '123456'))
  t.notOk(
    isSameCode(
      rotated(() => ({ kid: 'test', secret })),
      PLACE,
      kept,
      '123456',
    ),
  )
  t.notOk(
    isSameCode(
      rotated(() => undefined),
      PLACE,
      kept,
      '123456',
    ),
  )
})
