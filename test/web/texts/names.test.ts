import t from 'tap'
import { namesIn } from '../../../web/texts/names.ts'

t.test('three names are written out, of more the others are counted', async (t) => {
  t.equal(namesIn('en', ['Jana']), 'Jana')
  t.equal(namesIn('en', ['Jana', 'Peter']), 'Jana and Peter')
  t.equal(namesIn('en', ['Jana', 'Peter', 'Eva']), 'Jana, Peter and Eva')
  t.equal(namesIn('en', ['Jana', 'Peter', 'Eva', 'Ján']), 'Jana, Peter and 2 others')
  const slovak = (count: number) =>
    namesIn(
      'sk',
      Array.from({ length: count }, (_, index) => `O${index}`),
    ).replace('\u00a0', ' ')
  t.equal(slovak(2), 'O0 a O1')
  t.equal(slovak(4), 'O0, O1 a 2 ďalšie osoby')
  t.equal(slovak(7), 'O0, O1 a 5 ďalších osôb')
})

t.test('a right-to-left name does not turn the words around it', async (t) => {
  t.equal(namesIn('en', ['\u05d0\u05d1']), '\u2068\u05d0\u05d1\u2069')
})
