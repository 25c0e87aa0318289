/** Text of many scripts: what is shown, what is copied, and what a hostile name cannot do. */
import { create, type Font } from 'fontkit'
import t from 'tap'

import {
  type FontResource,
  isShownWhole,
  prepareFont,
  shaperFor,
} from '../../../pades/appearance/font.ts'
import { cleanText } from '../../../pades/appearance/text.ts'
import { NAMES } from '../../fixtures/names.ts'
import { MemorySink } from './memory-sink.ts'

const STATE = { fontName: 'Text', sizePt: 10 }

async function prepared(...texts: string[]): Promise<{ sink: MemorySink; font: FontResource }> {
  const shaper = await shaperFor(texts)
  const sink = new MemorySink()
  return { sink, font: prepareFont(sink, texts, { ...(shaper && { shaper }) }) }
}

/** What a reader copies, glyph by glyph from left to right, and the fonts that were set. */
function copied(sink: MemorySink, font: FontResource, text: string) {
  const numbers = new Map(font.fallbacks.map(({ name, objectNumber }) => [name, objectNumber]))
  numbers.set(STATE.fontName, font.objectNumber)
  let selected = font.objectNumber
  const parts: string[] = []
  const operators = font.show(text, STATE)
  for (const [, name, codes] of operators.matchAll(/\/(\w+) 10 Tf|<([0-9a-f]*)> Tj/g)) {
    if (name !== undefined) selected = numbers.get(name) ?? 0
    const map = sink.content(sink.reference(selected, 'ToUnicode')).toString()
    for (const code of codes?.match(/.{4}/g) ?? []) {
      const units = new RegExp(`<${code}> <([0-9a-f]+)>`).exec(map)?.[1].match(/.{4}/g) ?? []
      parts.push(String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16))))
    }
  }
  return { parts, last: selected }
}

const RIGHT_TO_LEFT = new Set(['Arabic', 'Persian', 'Hebrew'])

t.test('a name in each script is shown whole, and its letters can be copied', async (t) => {
  for (const [script, name] of Object.entries(NAMES)) {
    const { sink, font } = await prepared(name)
    t.ok(isShownWhole(name), script)
    t.equal(font.shown(name), name)
    const { parts, last } = copied(sink, font, name)
    const inOrder = RIGHT_TO_LEFT.has(script) ? parts.toReversed() : parts
    t.equal(inOrder.join(''), name, `${script}: in reading order`)
    t.equal(last, font.objectNumber, 'the primary font is set again')
    t.ok(sink.sizeBytes < 25_000, `${script}: ${sink.sizeBytes} bytes`)
  }
})

t.test('widths are those of the shaped glyphs, also of a part of the name', async (t) => {
  const { font } = await prepared('ععع', 'ع', 'नरेन्द्र', '张伟')
  t.not(font.widthOf('ععع'), font.widthOf('ع') * 3, 'letters that join have other forms')
  t.ok(font.widthOf('नरेन्द्र') > 1_000)
  t.equal(font.widthOf('张伟'), font.widthOf('张') * 2)
})

t.test('a row can end within a word: its letters are in the font in the other form', async (t) => {
  const name = 'عبدالرحمن'
  const shaper = await shaperFor([name])
  const sink = new MemorySink()
  const options = { ...(shaper && { shaper }), rowsOf: () => ['عبدال', 'رحمن', 'عبد…'] }
  const font = prepareFont(sink, [name], options)
  for (const row of options.rowsOf()) {
    t.equal(copied(sink, font, row).parts.toReversed().join(''), row)
  }
})

t.test('mixed directions are ordered as the Unicode standard has it', async (t) => {
  const cases = {
    'Jana (שרה) 12': ['J', 'a', 'n', 'a', ' ', '(', 'ה', 'ר', 'ש', ')', ' ', '1', '2'],
    // A row that begins from right to left goes on so; a bracket turns round.
    'שרה (Jana)': ['(', 'J', 'a', 'n', 'a', ')', ' ', 'ה', 'ר', 'ש'],
    '1. שרה': ['1', '.', ' ', 'ה', 'ר', 'ש'],
  }
  for (const [text, seen] of Object.entries(cases)) {
    const { sink, font } = await prepared(text)
    const { parts } = copied(sink, font, text)
    t.equal(parts.join('').replaceAll(/[()]/g, '|'), seen.join('').replaceAll(/[()]/g, '|'), text)
  }
})

t.test('nothing invisible reorders or changes what is shown', async (t) => {
  const hidden = ['\u202E', '\u202D', '\u202A', '\u202B', '\u202C', '\u2066', '\u2067', '\u2068']
  const more = ['\u2069', '\u200E', '\u200F', '\u061C', '\u200B', '\u2060', '\uFEFF', '\u00AD']
  const ignored = ['\u034F', '\u115F', '\u3164', '\uFFA0', '\u180E', '\uFE0F', '\u{E0041}']
  for (const character of [...hidden, ...more, ...ignored]) {
    const number = character.codePointAt(0)?.toString(16)
    t.equal(cleanText(`Jana ${character}Nováková`), 'Jana Nováková', `U+${number}`)
    t.equal(cleanText(`מש${character}ה`), 'משה')
    t.equal(cleanText(`مح${character}مد`), 'محمد')
  }
})

t.test('a joiner stays where the spelling has it, and nowhere else', async (t) => {
  t.equal(cleanText(NAMES.Persian), NAMES.Persian)
  t.equal(cleanText(NAMES.Sinhala), NAMES.Sinhala)
  for (const joiner of ['\u200C', '\u200D']) {
    t.equal(cleanText(`Ja${joiner}na`), 'Jana')
    t.equal(cleanText(`${joiner}علی${joiner}`), 'علی', 'at the ends')
    t.equal(cleanText(`عل${joiner}${joiner}ی`), 'علی', 'two of them')
    t.equal(cleanText(`张${joiner}伟`), '张伟')
  }
})

t.test('stacked accents are cut; the signs of a script are not', async (t) => {
  const zalgo = `J${'\u0301\u0316\u0348'.repeat(40)}ana`
  t.ok([...cleanText(zalgo)].length <= 7)
  const burmese = 'မြွှို့'
  t.equal(cleanText(burmese), burmese.normalize('NFC'))
  t.ok([...cleanText(`က${'\u102D'.repeat(100)}`)].length <= 9)
})

t.test('what no font has is reported: emoji, unassigned and broken characters', async (t) => {
  for (const text of ['Jana 🦄', 'Jana \u0378', 'Jana \uE000', '\u{10FFFE}', '𒀀', '𐀀']) {
    const { font } = await prepared(text)
    t.equal(font.shown(text), '', JSON.stringify(text))
    t.notOk(isShownWhole(text))
    t.match(font.show(text, STATE), /^<[0-9a-f]+> Tj$/, 'it shows the replacement character')
  }
  const { font } = await prepared('محمد 🦄')
  t.equal(font.shown('محمد 🦄'), '', 'half a name is none')
  t.equal(font.shown('Jana \uD800x'), 'Jana \uFFFDx', 'broken text never reaches the file')
})

t.test('without the shaper, letters that join are lacking, not drawn apart', async (t) => {
  const font = prepareFont(new MemorySink(), ['محمد', '张伟'])
  t.equal(font.shown('محمد'), '')
  t.equal(font.shown('张伟'), '张伟', 'these are drawn alone')
})

t.test('Latin, Greek and Cyrillic names load no shaper', async (t) => {
  t.equal(shaperFor([NAMES.Latin, NAMES.Greek, NAMES.Cyrillic, '2026-11-23 10:00 UTC']), undefined)
  t.equal(shaperFor([NAMES.Armenian, NAMES.Georgian, NAMES.Chinese, NAMES.Korean]), undefined)
  t.ok(shaperFor([NAMES.Thai]))
})

t.test('Han characters beside kana have their Japanese forms', async (t) => {
  const names = await Promise.all(
    ['直美', '直美 さん'].map(async (text) => {
      const { sink, font } = await prepared(text)
      return font.fallbacks.map(({ objectNumber }) => sink.source(objectNumber)).join()
    }),
  )
  t.match(names, [/\+NotoSans-Sc/, /\+NotoSans-Jp/])
})

t.test('a very long hostile text is laid out in time, with a bounded font', async (t) => {
  const alternating = 'aש'.repeat(4_000)
  const letters = Array.from({ length: 4_500 }, (_, at) => String.fromCodePoint(0xac00 + at))
  for (const text of [alternating, letters.join('')]) {
    const { sink, font } = await prepared(text)
    t.ok(font.show(text, STATE).length > 1_000)
    t.ok(sink.objects.length < 20)
  }
})

t.test('the program of a subset is a font that another library reads', async (t) => {
  const { sink, font } = await prepared(NAMES.Arabic)
  const [{ objectNumber }] = font.fallbacks
  const descriptor = sink.reference(
    sink.reference(objectNumber, 'DescendantFonts'),
    'FontDescriptor',
  )
  const program = create(sink.content(sink.reference(descriptor, 'FontFile2'))) as Font
  const drawn = Array.from({ length: program.numGlyphs }, (_, at) => program.getGlyph(at))
  t.ok(drawn.filter(({ path }) => path.commands.length > 0).length > 8)
  for (const { id, bbox, path } of drawn) {
    if (path.commands.length > 0) t.ok(bbox.maxX > bbox.minX, `glyph ${id} has an outline`)
  }
})
