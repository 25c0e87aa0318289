/** Patterns and shadings that viewers repair differently are refused. */
import t from 'tap'
import { FAULTS, type FaultCode } from '../../../../pades/syntax/faults.ts'
import { streamOf, verdictOn } from './painted.ts'
import { drawn, type Drawn, FIRST, SECOND, THIRD } from './shown-alike.ts'

const SQUARE = '20 20 300 300 re f'
const CELL = {
  PaintType: '1',
  TilingType: '1',
  BBox: '[0 0 10 10]',
  XStep: '10',
  YStep: '10',
  Matrix: '[1 0 0 1 5 5]',
}
type Entries = Readonly<Record<string, string>>
const sourceOf = (entries: Entries) =>
  Object.entries(entries)
    .map(([key, value]) => `/${key} ${value}`)
    .join(' ')
const tiling = (changes: Entries = {}, cell = '1 1 8 8 re f'): Drawn => ({
  resources: `/Pattern << /P ${FIRST} >>`,
  content: `/Pattern cs /P scn ${SQUARE}`,
  objects: [
    streamOf(`/PatternType 1 ${sourceOf({ ...CELL, Resources: '<< >>', ...changes })}`, cell),
  ],
})

const BLACK = '<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [0] /C1 [0] >>'
const AXIAL = {
  ShadingType: '2',
  ColorSpace: '/DeviceGray',
  Coords: '[0 0 300 0]',
  Function: BLACK,
}
const shading = (changes: Entries = {}): Drawn => ({
  resources: `/Shading << /S << ${sourceOf({ ...AXIAL, ...changes })} >> >>`,
  content: '/S sh',
})
const asPattern = (changes: Entries): Drawn => {
  const pattern = `<< /PatternType 2 /Shading << ${sourceOf({ ...AXIAL, ...changes })} >> >>`
  return { resources: `/Pattern << /P ${pattern} >>`, content: `/Pattern cs /P scn ${SQUARE}` }
}
/** As TikZ writes one: each part repeats the domain of the whole, and uses that from 0 to 1. */
const inParts = (last: string, encode = '[0 1 1 0]', domain = '[0 100]'): string => {
  const part = (to: string) => `<< /FunctionType 2 /Domain ${domain} /C0 [0] /C1 [${to}] /N 1 >>`
  const parts = `/Functions [${part('1')} ${part(last)}] /Bounds [50] /Encode ${encode}`
  return `<< /FunctionType 3 /Domain ${domain} ${parts} >>`
}
const RADIAL = { ShadingType: '3', Coords: '[200 200 0 200 200 90]' }

const TOUCHING = '[50 100 0 100 100 50]'
const EXTENDED = { Extend: '[true true]' }
/** A shading by a function of places. */
const asFunction = (domain: string, changes: Entries = {}): Drawn => ({
  ...asPattern({ ShadingType: '1', Coords: 'null', Function: FIRST, ...changes }),
  objects: [
    streamOf(`/FunctionType 0 /Domain ${domain} /Range [0 1] /Size [1 1] /BitsPerSample 8`, '\0'),
  ],
})
const uncoloured = (cell: string, changes: Entries = {}): Drawn => {
  const spec = tiling({ PaintType: '2', ...changes }, cell)
  const space = '/ColorSpace << /C [/Pattern /DeviceGray] >>'
  return {
    ...spec,
    resources: `${spec.resources} ${space}`,
    content: `/C cs 0 /P scn ${SQUARE}`,
  }
}

const INK = '/FunctionType 2 /Domain [0 1] /N 1 /C0 [0 0 0 0]'
const inks = (most: number) => ({
  ColorSpace: '/DeviceCMYK',
  Function: `<< ${INK} /C1 [${most} 0 0 ${most}] >>`,
})
const MESH = '/BitsPerCoordinate 8 /BitsPerComponent 8 /BitsPerFlag 8 /Decode'
const mesh = (decode: string, more = '', bytes = 21): Drawn => ({
  resources: `/Shading << /S ${FIRST} >>`,
  content: '/S sh',
  objects: [
    streamOf(
      `/ShadingType 4 /ColorSpace /DeviceCMYK ${MESH} [${decode}] ${more}`,
      '\0'.repeat(bytes),
    ),
  ],
})

const TAKEN: Readonly<Record<string, Drawn>> = {
  'a shading of four inks': shading(inks(1)),
  'a function for each ink': shading({
    ColorSpace: '/DeviceCMYK',
    Function: `[${`${BLACK} `.repeat(4)}]`,
  }),
  'a mesh of four inks': mesh('0 9 0 9 0 1 0 1 0 1 0 1'),
  'a mesh with a function': mesh('0 9 0 9 0 1', `/Function << ${INK} /C1 [0 0 0 1] >>`, 12),
  cells: tiling(),
  'an axial shading': shading({ Extend: '[true false]', Domain: '[0 0.5]' }),
  'a radial shading': shading(RADIAL),
  'a gradient in parts with a large domain': shading({
    Domain: '[0 100]',
    Function: inParts('0.5'),
  }),
  'a part of a function': shading({
    Domain: '[0 1]',
    Function: '<< /FunctionType 2 /Domain [0 100] /C0 [0] /C1 [1] /N 1 >>',
  }),
  'cells far apart': tiling({ XStep: '500' }),
  'a shape of a cell': uncoloured('1 1 8 8 re f'),
  'overlapping cells of one colour': uncoloured('1 1 8 8 re f', { XStep: '5' }),
  'a mask of a cell': uncoloured('8 0 0 8 1 1 cm BI /W 1 /H 1 /IM true ID a EI'),
  'an image behind a shape with a pattern': {
    ...tiling(),
    content: '/Pattern cs /P scn 9 9 9 9 re f 0 g BI /W 1 /H 1 /BPC 8 /CS /G ID a EI',
  },
  'a cone between circles that touch': shading({ ...RADIAL, Coords: TOUCHING }),
  'a cone that is extended': shading({ ...RADIAL, Coords: '[9 9 5 99 9 50]', ...EXTENDED }),
  'a function of two arguments': asFunction('[0 1 0 1]'),
  'a background of a pattern': asPattern({ Background: '[1]' }),
}
for (const [what, spec] of Object.entries(TAKEN)) {
  t.test(`intake takes ${what}`, async (t) => t.equal(verdictOn(drawn(spec)), 'accepted'))
}

const REFUSED: Readonly<Record<string, Drawn>> = {
  'a shading of more ink than there is': shading(inks(5)),
  'a shading of less than no ink': shading(inks(-5)),
  'a shading that is continued beyond its ink': shading({
    ...inks(1),
    Domain: '[0 5]',
    Function: `<< ${INK.replace('0 1', '0 5')} /C1 [0 0 0 1] >>`,
  }),
  'a gradient in parts of which one is lighter than white': shading({
    Domain: '[0 100]',
    Function: inParts('5'),
  }),
  'a gradient in parts that use too much of their domain': shading({
    Domain: '[0 100]',
    Function: inParts('0.5', '[0 1 0 9]'),
  }),
  'a gradient that is too light in its middle': shading({
    Domain: '[-1 1]',
    Function: '<< /FunctionType 2 /Domain [-1 1] /C0 [5] /C1 [0] /N 2 >>',
  }),
  'a function too few': shading({ ColorSpace: '/DeviceRGB', Function: `[${BLACK} ${BLACK}]` }),
  'a gradient without a function': shading({ Function: 'null' }),
  'a background of more ink than there is': asPattern({ ...inks(1), Background: '[5 5 5 5]' }),
  'a background with an amount too few': asPattern({ ...inks(1), Background: '[0 0 0]' }),
  'a mesh of more ink than there is': mesh('0 9 0 9 0 1 0 1 0 1 0 5'),
  'a mesh that lacks an ink': mesh('0 9 0 9 0 1 0 1 0 1'),
  'a mesh whose function makes more ink': mesh(
    '0 9 0 9 0 1',
    `/Function << ${INK} /C1 [0 0 0 5] >>`,
  ),
  'cells at no distance': tiling({ XStep: '0' }),
  'cells at an unknown distance': tiling({ YStep: 'null' }),
  'overlapping cells': tiling({ XStep: '5' }),
  'cells at a negative distance': tiling({ YStep: '-10' }),
  'a box whose corners are the other way round': tiling({ BBox: '[10 10 0 0]' }),
  'cells of less than half a point': tiling({ Matrix: '[.04 0 0 1 5 5]' }),
  'very large cells': tiling({ BBox: '[0 0 90000 10]', XStep: '90000' }),
  'a cell that draws outside of its box': tiling({}, '5 5 9 9 re f'),
  'very many cells': uncoloured('1 1 8 8 re f', { XStep: '.5' }),
  'an inline image that is painted with a pattern': {
    ...tiling(),
    content: '/Pattern cs /P scn BI /W 1 /H 1 /IM true ID a EI',
  },
  'a background of places': asFunction('[0 1 0 1]', { Background: '[1]' }),
  'a function of too few places': asFunction('[0 .5 0 1]'),
  'a place that is one argument': asPattern({ ShadingType: '1', Coords: 'null' }),
  'a gradient of two arguments': asFunction('[0 1 0 1]', {
    ShadingType: '2',
    Coords: '[0 0 9 0]',
  }),
  'a gradient of indexes': shading({ ColorSpace: '[/Indexed /DeviceGray 1 (ab)]' }),
  'a gradient that is extended once': shading({ Extend: '[true]' }),
  'functions with more than one result': shading({
    ColorSpace: '/DeviceRGB',
    Function: `[<< ${INK.replace('[0 0 0 0]', '[0 0]')} /C1 [0 0] >> ${BLACK}]`,
  }),
  'a cone that is extended from a touching circle': shading({
    ...RADIAL,
    Coords: TOUCHING,
    ...EXTENDED,
  }),
  'cells without an area': tiling({ BBox: '[0 0 0 0]' }),
  'a kind of paint that does not exist': tiling({ PaintType: '3' }),
  'a kind of tiling that does not exist': tiling({ TilingType: '9' }),
  'a matrix without an inverse': tiling({ Matrix: '[0 0 0 0 0 0]' }),
  'a kind of shading that does not exist': shading({ ShadingType: '9' }),
  'a shading in patterns': shading({ ColorSpace: '/Pattern' }),
  'a shading without a direction': shading({ Coords: '[9 9 9 9]' }),
  'three coordinates': shading({ Coords: '[0 0 300]' }),
  'a descending domain': shading({ Domain: '[1 0]' }),
  'an empty domain': shading({ Domain: '[1 1]' }),
  'a domain beyond that of the function': shading({ Domain: '[0 2]' }),
  'numbers in place of truth values': shading({ Extend: '[1 1]' }),
  'a background of `sh`': shading({ Background: '[0]' }),
  'equal circles': shading({ ...RADIAL, Coords: '[9 9 5 9 9 5]' }),
  'a negative radius': shading({ ...RADIAL, Coords: '[9 9 -5 9 9 5]' }),
  'a domain of two arguments': shading({ ShadingType: '1', Domain: '[0 300 0 300]' }),
}
for (const [what, spec] of Object.entries(REFUSED)) {
  t.test(`intake refuses ${what}`, async (t) =>
    t.match(verdictOn(drawn(spec)), FAULTS.PATTERN_ODD.text),
  )
}

const FORM = '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << >>'
const ELSEWHERE: Readonly<Record<string, readonly [FaultCode, Drawn]>> = {
  'text in a cell': [
    'STATE_INHERITED',
    {
      ...tiling({ Resources: '<< /Font << >> >>' }, 'BT /F1 5 Tf (a) Tj ET'),
    },
  ],
  'a colour of a shape': ['STATE_INHERITED', uncoloured('1 g 1 1 8 8 re f')],
  'an image of a shape': ['STATE_INHERITED', uncoloured('BI /W 1 /H 1 /BPC 8 /CS /G ID a EI')],
  'a pattern that a form lacks and its page has': [
    'RESOURCE_MISSING',
    {
      ...tiling(),
      resources: `/Pattern << /P ${FIRST} >> /XObject << /X ${SECOND} >>`,
      content: '/X Do',
      objects: [...(tiling().objects ?? []), streamOf(FORM, `/Pattern cs /P scn ${SQUARE}`)],
    },
  ],
  'a shape without a colour': ['CONTENT_OPERANDS', tiling({ PaintType: '2' })],
}
for (const [what, [code, spec]] of Object.entries(ELSEWHERE)) {
  t.test(`intake refuses ${what}`, async (t) => t.match(verdictOn(drawn(spec)), FAULTS[code].text))
}

const SHAPES: Readonly<Record<string, readonly [content: string, object: string]>> = {
  'a form': ['/X Do', streamOf(FORM, '1 1 8 8 re f')],
  'a mask': [
    '/X Do',
    streamOf('/Type /XObject /Subtype /Image /Width 1 /Height 1 /ImageMask true', 'a'),
  ],
  'a glyph': [
    'BT /T 9 Tf (a) Tj ET',
    '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [.1 0 0 .1 0 0]' +
      ' /FirstChar 97 /LastChar 97 /Widths [9] /Encoding << /Differences [97 /a] >>' +
      ` /CharProcs << /a ${THIRD} >> /Resources << >> >>`,
  ],
}
for (const [what, [content, object]] of Object.entries(SHAPES)) {
  const using = (before: string): Drawn => {
    const { resources, objects = [] } = tiling()
    return {
      resources: `${resources} /XObject << /X ${SECOND} >> /Font << /T ${SECOND} >>`,
      content: `/Pattern cs /P scn ${SQUARE} ${before} ${content}`,
      objects: [...objects, object, streamOf('', '9 0 0 0 9 9 d1 1 1 8 8 re f')],
    }
  }
  t.test(`intake refuses ${what} that is painted with a pattern`, async (t) => {
    t.match(verdictOn(drawn(using(''))), FAULTS.PATTERN_ODD.text)
    t.equal(verdictOn(drawn(using('0 g'))), 'accepted')
  })
}

const writing = (text: string): Drawn => ({
  ...tiling(),
  resources: `/Pattern << /P ${FIRST} >> /Font << /F ${SECOND} >>`,
  content: `/Pattern cs /P scn BT /F 90 Tf ${text} ET`,
  objects: [...(tiling().objects ?? []), '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
})
t.test('a text that is painted with a pattern has an area', async (t) => {
  for (const text of ['(a) Tj', '[(a) -9 <62>] TJ', '0 0 0 0 9 9 Tm 1 0 0 1 9 9 Tm (a) Tj']) {
    t.equal(verdictOn(drawn(writing(text))), 'accepted', text)
  }
  for (const text of [
    '() Tj',
    '[(a) <>] TJ',
    '[9] TJ',
    '/F 0 Tf (a) Tj',
    '9 0 0 0 9 9 Tm (a) Tj',
  ]) {
    t.match(verdictOn(drawn(writing(text))), FAULTS.PATTERN_ODD.text, text)
  }
})
