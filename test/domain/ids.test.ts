/** Ids that follow from what they name. */
import t from 'tap'
import { isUuid, uuidV5 } from '../../domain/ids.ts'

/** The namespace for domain names of RFC 9562, 6.6. */
const DNS = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'

t.test('the example of RFC 9562, A.4 comes out', async (t) => {
  t.equal(uuidV5(DNS, 'www.example.com'), '2ed6657d-e927-568b-95e1-2665a8aea6a2')
})

t.test('parts are kept apart', async (t) => {
  t.not(uuidV5(DNS, 'ab', 'c'), uuidV5(DNS, 'a', 'bc'))
})

t.test('a UUID is distinguished from other texts', async (t) => {
  t.ok(isUuid(DNS))
  for (const text of ['', DNS.toUpperCase(), `${DNS}0`, DNS.replaceAll('-', '')]) {
    t.notOk(isUuid(text), text)
  }
})
