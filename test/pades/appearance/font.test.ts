import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Font, create } from 'fontkit'
import t, { type Test } from 'tap'

import { prepareFont, startSubset } from '../../../pades/appearance/font.ts'
import { MemorySink } from './memory-sink.ts'

const TEXT = 'Ľuboš Šťastný, žltý kôň'
const require = createRequire(import.meta.url)
const file = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')
const original = create(readFileSync(file)) as Font

/** What a reader of the PDF shows and copies for the operand of Tj. */
function readBack(sink: MemorySink, font: number, operand: string) {
  const descendant = sink.reference(font, 'DescendantFonts')
  const descriptor = sink.reference(descendant, 'FontDescriptor')
  const program = create(sink.content(sink.reference(descriptor, 'FontFile2'))) as Font
  const map = sink.content(sink.reference(font, 'ToUnicode')).toString()
  const widths = /\/W \[0 \[([\d ]+)\]\]/.exec(sink.source(descendant))?.[1].split(' ').map(Number)
  const codes = operand.slice(1, -1).match(/.{4}/g) ?? []
  return codes.map((code) => {
    const units = new RegExp(`<${code}> <([0-9a-f]+)>`).exec(map)?.[1].match(/.{4}/g) ?? []
    const glyph = Number.parseInt(code, 16)
    return {
      character: String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16))),
      path: program.getGlyph(glyph).path.toSVG(),
      width: widths?.[glyph],
    }
  })
}

function sameShapes(t: Test, sink: MemorySink, font: number, operand: string, text: string) {
  const shown = readBack(sink, font, operand)
  t.equal(shown.map(({ character }) => character).join(''), text)
  for (const [index, character] of [...text].entries()) {
    const glyph = original.glyphForCodePoint(character.codePointAt(0) ?? 0)
    t.equal(shown[index].path, glyph.path.toSVG(), `shape of ${character}`)
    t.equal(shown[index].width, Math.round((glyph.advanceWidth * 1_000) / 2_048))
  }
}

t.test('the subset shows and copies the very characters, accents included', async (t) => {
  const sink = new MemorySink()
  const font = prepareFont(sink, [TEXT, 'Signed 2026-11-21 10:00:00 UTC'])
  sameShapes(t, sink, font.objectNumber, font.encode(TEXT), TEXT)
})

t.test('a subset for one signature is small', async (t) => {
  const sink = new MemorySink()
  prepareFont(sink, [TEXT, 'Podpísané 2026-11-21 10:00:00 UTC'])
  t.ok(sink.sizeBytes < 6_000, `${sink.sizeBytes} bytes`)
})

t.test('a character that the font lacks shows as the replacement character', async (t) => {
  const sink = new MemorySink()
  const font = prepareFont(sink, ['a b'])
  sameShapes(t, sink, font.objectNumber, font.encode('张伟 𠮷'), '\uFFFD\uFFFD \uFFFD')
})

t.test('a character that was not announced shows as the replacement character', async (t) => {
  const sink = new MemorySink()
  const font = prepareFont(sink, ['abc'])
  sameShapes(t, sink, font.objectNumber, font.encode('abcd…'), 'abc\uFFFD…')
})

t.test('control characters have no width and no code', async (t) => {
  const font = prepareFont(new MemorySink(), ['ab'])
  t.equal(font.encode('a\u0007\u202Eb'), font.encode('ab'))
  t.equal(font.widthOf('a\u0007\u202Eb'), font.widthOf('ab'))
  t.equal(font.widthOf('🦄'), font.widthOf('\uFFFD'))
})

t.test('widths are the sum of the advances', async (t) => {
  const font = prepareFont(new MemorySink(), [TEXT])
  const expected = [...TEXT].reduce((sum, character) => {
    const glyph = original.glyphForCodePoint(character.codePointAt(0) ?? 0)
    return sum + Math.round((glyph.advanceWidth * 1_000) / 2_048)
  }, 0)
  t.equal(font.widthOf(TEXT), expected)
})

t.test('equal texts make equal fonts, under a name of their own', async (t) => {
  const [one, two, three] = [[TEXT], [TEXT], ['other']].map((texts) => {
    const sink = new MemorySink()
    prepareFont(sink, texts)
    return sink
  })
  t.same(one.objects, two.objects)
  const nameOf = (sink: MemorySink) => /\/BaseFont \/(\S+)/.exec(sink.source(5))?.[1]
  t.match(nameOf(one), /^[A-Z]{6}\+DejaVuSans$/)
  t.not(nameOf(one), nameOf(three))
})

t.test('several hundred glyphs and composite parts fit in one subset', async (t) => {
  const text = Array.from({ length: 900 }, (_, index) => String.fromCodePoint(0xc0 + index))
    .join('')
    .normalize('NFC')
  const subset = startSubset('sans')
  const operand = subset.encode(text)
  const sink = new MemorySink()
  const font = subset.writeTo(sink)
  const shown = readBack(sink, font, operand)
  t.ok(shown.length > 750)
  for (const { character, path } of shown) {
    const glyph = original.glyphForCodePoint(character.codePointAt(0) ?? 0)
    if (path !== glyph.path.toSVG()) t.fail(`shape of ${character}`)
  }
})

t.test('letters written from right to left count as lacking: set from left they lie', async (t) => {
  const sink = new MemorySink()
  const font = prepareFont(sink, ['a'])
  sameShapes(t, sink, font.objectNumber, font.encode('שaم'), '\uFFFDa\uFFFD')
  t.same([font.shown('שרה כהן'), font.shown('محمد'), font.shown('Sára')], ['', '', 'Sára'])
  t.equal(font.widthOf('ש'), font.widthOf('\uFFFD'))
})
