import t from 'tap'
import { attachmentNamed } from '../../../adapters/shared/attachment.ts'

t.test('a name of plain characters is the only form', async (t) => {
  t.equal(attachmentNamed('contract.pdf'), 'attachment; filename=contract.pdf')
})

t.test('a name with other characters has a form for every client', async (t) => {
  const header = attachmentNamed('Zmluva č. 1 "A%41\\.pdf')
  t.match(header, /filename="Zmluva _. 1 _A_41_.pdf"/)
  t.match(header, /filename\*=UTF-8''Zmluva%20%C4%8D/)
})

t.test('a name cannot add a header or a parameter', async (t) => {
  const header = attachmentNamed('a\r\nSet-Cookie: x=1; filename=evil')
  t.notMatch(header, /[\r\n]/)
  t.match(header, /^attachment; filename="a__Set-Cookie: x=1; filename=evil"/)
})
