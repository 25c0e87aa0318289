import t from 'tap'
import { namesIn } from '../../../web/texts/names.ts'

/** Without the isolates around each name. */
const plain = (...given: Parameters<typeof namesIn>) =>
  namesIn(...given).replace(/[\u2068\u2069]/g, '')

t.test('three names are written out, of more the others are counted', async (t) => {
  t.equal(plain('en', ['Jana']), 'Jana')
  t.equal(plain('en', ['Jana', 'Peter']), 'Jana and Peter')
  t.equal(plain('en', ['Jana', 'Peter', 'Eva']), 'Jana, Peter and Eva')
  t.equal(plain('en', ['Jana', 'Peter', 'Eva', 'Ján']), 'Jana, Peter and 2 others')
  const slovak = (count: number) =>
    plain(
      'sk',
      Array.from({ length: count }, (_, index) => `O${index}`),
    ).replace('\u00a0', ' ')
  t.equal(slovak(2), 'O0 a O1')
  t.equal(slovak(4), 'O0, O1 a 2 ďalšie osoby')
  t.equal(slovak(7), 'O0, O1 a 5 ďalších osôb')
})

t.test('each name is isolated and cannot turn or hide the words around it', async (t) => {
  t.equal(namesIn('en', ['\u05d0\u05d1']), '\u2068\u05d0\u05d1\u2069')
  t.equal(namesIn('en', ['Jana', 'Eva']), '\u2068Jana\u2069 and \u2068Eva\u2069')
  t.equal(namesIn('en', ['\u202eJa\u200bna\u2069']), '\u2068Jana\u2069')
})

t.test('a name that could be read as several is in quotes', async (t) => {
  t.equal(plain('en', ['Jana Nová, Peter Kráľ', 'Eva']), '“Jana Nová, Peter Kráľ” and Eva')
  t.equal(plain('en', ['Jana and Peter']), '“Jana and Peter”')
  t.equal(plain('en', ['Jana, and Peter', 'O, Eva']), '“Jana, and Peter” and “O, Eva”')
  t.equal(plain('sk', ['Jana a Peter']), '„Jana a Peter“')
  t.equal(plain('sk', ['Acme, s. r. o.', 'Eva']), '„Acme, s. r. o.“ a\u00a0Eva')
  t.equal(plain('en', ['Jana” and “Peter']), '“Jana’ and ’Peter”', 'it cannot close the quotes')
  for (const one of ['John A. Smith', 'Andrea', 'Alexand Raab']) t.equal(plain('en', [one]), one)
})
