import t from 'tap'
import { parsePeople, unreadLines } from '../../../web/console/parse-people.ts'

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

t.test('degrees after a name belong to the family name', async (t) => {
  for (const line of [
    'MUDr. Jana Nováková, PhD. <jana@example.com>',
    'MUDr. Jana;Nováková;PhD.;jana@example.com',
  ]) {
    t.match(parsePeople(line), [{ firstName: 'MUDr. Jana', lastName: 'Nováková, PhD.' }], line)
  }
  t.match(parsePeople('Ján Malý, CSc., MBA, jan@example.com'), [
    { firstName: 'Ján', lastName: 'Malý, CSc., MBA' },
  ])
})

t.test('lines without an address are named', async (t) => {
  const text = 'Jana <jana@example.com>\n\n Peter peter(at)example.com \r\nAnna'
  t.same(unreadLines(text), ['Peter peter(at)example.com', 'Anna'])
  t.same(unreadLines('jana@example.com\n'), [])
})

t.test('lines without an address are left out', async (t) => {
  t.same(parsePeople('Meno;Priezvisko;E-mail\r\n\r\nJana Nováková <jana@example.com>\n'), [jana])
  t.same(parsePeople(''), [])
})
