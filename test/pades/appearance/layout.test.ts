import t from 'tap'
import { fitPicture, layOutAppearance } from '../../../pades/appearance/layout.ts'

/** Every character is half as wide as the font is high. */
const font = { widthOf: (text: string) => text.length * 500, shown: (text: string) => text }
const SIZE = { width: 200, height: 60 }

t.test('the text is under the drawing, and both are inside', async (t) => {
  const { box, text } = layOutAppearance(font, ['Jana Nova', 'Signed today'], false, SIZE)
  t.same(
    text?.rows.map((row) => row.text),
    ['Jana Nova', 'Signed today'],
  )
  t.ok((text?.baseline ?? 99) < box.bottom, 'the first line is below the drawing')
  t.ok(box.bottom + box.height <= SIZE.height)
  t.ok(box.height > SIZE.height / 2, 'the drawing has more than half of the height')
})

t.test('without text, the drawing has the whole box', async (t) => {
  const { box, text } = layOutAppearance(font, [], false, SIZE)
  t.same(box, { left: 3, bottom: 3, width: 194, height: 54 })
  t.equal(text, undefined)
})

t.test('in a frame the name is shown even where it is very small', async (t) => {
  const small = { width: 40, height: 10 }
  t.equal(layOutAppearance(font, ['Jana'], false, small).text, undefined)
  t.equal(layOutAppearance(font, ['Jana'], true, small).text?.rows[0]?.text, 'Jana')
})

t.test('a picture is at the left of its box, in the middle of its height', async (t) => {
  const box = { left: 3, bottom: 5, width: 100, height: 40 }
  t.same(fitPicture({ width: 200, height: 40 }, box), {
    left: 3,
    bottom: 15,
    width: 100,
    height: 20,
  })
  t.same(fitPicture({ width: 10, height: 40 }, box), { left: 3, bottom: 5, width: 10, height: 40 })
})
