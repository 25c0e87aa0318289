import t from 'tap'
import { parsePeople } from '../../../web/console/parse-people.ts'

const jana = { firstName: 'Jana', lastName: 'Nováková', email: 'jana@example.com', phone: '' }

t.test('people are read from addresses and from columns', async (t) => {
  for (const line of [
    'Jana Nováková <jana@example.com>',
    '"Jana Nováková" <jana@example.com>,',
    'Jana\tNováková\tjana@example.com',
    'jana@example.com;Jana;Nováková',
    'Jana, Nováková, jana@example.com',
  ]) {
    t.same(parsePeople(line), [jana], line)
  }
  t.same(parsePeople('Jana;Nováková;jana@example.com;+421 900 123 456'), [
    { ...jana, phone: '+421 900 123 456' },
  ])
  t.match(parsePeople('Anna Mária Kôň anna@example.com'), [
    { firstName: 'Anna Mária', lastName: 'Kôň' },
  ])
  t.match(parsePeople('x@example.com'), [{ firstName: '', lastName: '', email: 'x@example.com' }])
})

t.test('lines without an address are left out', async (t) => {
  t.same(parsePeople('Meno;Priezvisko;E-mail\r\n\r\nJana Nováková <jana@example.com>\n'), [jana])
  t.same(parsePeople(''), [])
})
