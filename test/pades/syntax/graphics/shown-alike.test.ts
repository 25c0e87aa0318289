/** One document must not show two contents: what viewers draw differently, intake refuses. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { FAULTS, type FaultCode } from '../../../../pades/syntax/faults.ts'
import { isInstalled } from '../../../../dev/outside-programs.ts'
import { readPgm } from '../../../../dev/fuzz/viewers/raster.ts'
import { streamOf, verdictOn } from './painted.ts'
import { drawn, type Drawn, FIRST, SECOND, SQUARE, THIRD } from './shown-alike.ts'

const WHITE = '<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [1] /C1 [1] >>'
const state = (entries: string): Drawn => ({
  resources: `/ExtGState << /G << ${entries} >> >>`,
  content: `/G gs ${SQUARE}`,
})
const GROUP = '/Group << /S /Transparency /CS /DeviceGray >>'
const form = (entries: string, content = SQUARE) =>
  streamOf(`/Type /XObject /BBox [0 0 595 842] ${entries}`, content)
const mask = (entries: string): Drawn => ({
  ...state(`/SMask << /G ${FIRST} ${entries} >>`),
  objects: [form(`/Subtype /Form ${GROUP}`)],
})
const overprinted = (entries: string, colour: string): Drawn => ({
  resources:
    `/ExtGState << /G << ${entries} >> >> /ColorSpace <<` +
    ` /S [/Separation /Gold /DeviceGray ${WHITE}] >>`,
  content: `${SQUARE} /G gs ${colour} 0 0 9 9 re f`,
})
const object = (source: string): Drawn => ({
  resources: `/XObject << /X ${FIRST} >>`,
  content: '/X Do',
  objects: [source],
})
const space = (name: string, source: string): Drawn => ({
  resources: `/ColorSpace << /${name} ${source} >>`,
})
const ON = '<< /Type /OCG /Name (L) >>'
const layer = (configuration: string, group = ON, member = FIRST): Drawn => ({
  catalog: `/OCProperties << /OCGs [${FIRST}] /D << ${configuration} >> >>`,
  resources: `/Properties << /L ${member} >>`,
  content: `/OC /L BDC ${SQUARE} EMC`,
  objects: [group],
})
const membership = (entries: string): Drawn => ({
  ...layer('', ON, SECOND),
  objects: [ON, `<< /Type /OCMD ${entries} >>`, '<< /Type /OCMD >>'],
})
const usage = (entries: string) => layer('', `<< /Type /OCG /Name (L) /Usage << ${entries} >> >>`)
const glyphs = (entries: string, glyph = '600 0 d0 0 0 600 600 re f'): Drawn => ({
  resources: `/Font << /F1 ${FIRST} >>`,
  content: 'BT /F1 200 Tf 20 20 Td (1) Tj ET',
  objects: [
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 600 600] /FirstChar 49 /LastChar 49` +
      ` /Widths [600] /CharProcs << /a ${SECOND} >> ${entries} >>`,
    streamOf('', glyph),
  ],
})
const font = (entries: string): Drawn => ({
  resources: `/Font << /F1 << /Type /Font ${entries} >> >>`,
  content: 'BT /F1 90 Tf 20 300 Td (AAA) Tj ET',
})
const MATRIX = '/FontMatrix [.001 0 0 .001 0 0]'
const NAMES = '/Encoding << /Differences [49 /a] >>'

const MODES = '/G << /BM /Multiply >> /N << /BM /Normal >>'
const mixed: Drawn = {
  resources: `/XObject << /X ${FIRST} >> /ExtGState << ${MODES} >>`,
  content: '/G gs /X Do',
}
const ENDING = '/Resources << /ExtGState << /N << /BM /Normal /SMask /None >> >> >>'
const knockout = (isKnockout: string, state: string): Drawn =>
  object(
    form(
      `/Subtype /Form /Group << /S /Transparency /K ${isKnockout} >>` +
        ' /Resources << /ExtGState << /G << /ca 0.1 >> >> >>',
      `${SQUARE} ${state} ${SQUARE}`,
    ),
  )
const light = (opacity: string): Drawn => ({
  resources: `/Font << /F1 ${FIRST} >> /ExtGState << /G << /ca ${opacity} >> >>`,
  content: '/G gs BT /F1 200 Tf 20 20 Td (1) Tj ET',
})

const REFUSED: Readonly<Record<string, readonly [FaultCode, Drawn]>> = {
  'a transfer function': ['STATE_ODD', state(`/TR ${WHITE}`)],
  'a background of a mask that names no colour space': [
    'STATE_ODD',
    {
      ...state(`/SMask << /S /Luminosity /G ${FIRST} /BC [1] >>`),
      objects: [form('/Subtype /Form /Group << /S /Transparency >>')],
    },
  ],
  'a form that blends in an unknown colour space': [
    'XOBJECT_ODD',
    object(form('/Subtype /Form /Group << /S /Transparency /CS /Foo >>')),
  ],
  'a form whose box is too large for some readers': [
    'PLACE_ODD',
    object(streamOf('/Subtype /Form /BBox [-2000000000 0 300 300]', SQUARE)),
  ],
  'a newer transfer function': ['STATE_ODD', state(`/TR2 ${WHITE}`)],
  'four transfer functions': ['STATE_ODD', state(`/TR [${Array(4).fill(WHITE).join(' ')}]`)],
  'a font of the state': ['STATE_ODD', state('/Font [3 0 R 200]')],
  'a negative opacity': ['STATE_ODD', state('/ca -1')],
  'an opacity that is a truth value': ['STATE_ODD', state('/CA true')],
  'a mode behind one that does not exist': ['STATE_ODD', state('/BM [/Foo /Multiply]')],
  'a mode that is a string': ['STATE_ODD', state('/BM (Multiply)')],
  'an unknown mode': ['STATE_ODD', state('/BM /Foo')],
  'no mode of several': ['STATE_ODD', state('/BM []')],
  'a mode of lightness': ['STATE_ODD', state('/BM /Luminosity')],
  'a form that ends the mode with which it is drawn': [
    'STATE_INHERITED',
    { ...object(form(`/Subtype /Form ${ENDING}`, `/N gs ${SQUARE}`)), ...mixed },
  ],
  'a form that ends the mask with which it is drawn': [
    'STATE_INHERITED',
    {
      ...mask('/S /Alpha'),
      resources:
        `/ExtGState << /G << /SMask << /S /Alpha /G ${FIRST} >> >> >>` +
        ` /XObject << /X ${SECOND} >>`,
      content: '/G gs /X Do',
      objects: [
        form(`/Subtype /Form ${GROUP}`),
        form(`/Subtype /Form ${ENDING}`, `/N gs ${SQUARE}`),
      ],
    },
  ],
  'translucent glyphs of a glyph font': [
    'STATE_ODD',
    { ...glyphs(`${MATRIX} ${NAMES}`), ...light('0.1') },
  ],
  'a group whose parts remove others': ['STATE_INHERITED', knockout('true', '/G gs 1 g')],
  'a colour space with the name of another': [
    'COLOURS_ODD',
    space('G', `[/Separation /Gold /DeviceGray ${WHITE}]`),
  ],
  'a mode that differs on paper': ['STATE_ODD', state('/BM /Screen')],
  'a mode behind an unknown one': ['STATE_ODD', state('/BM [/Foo /Difference]')],
  'a negative width of lines': ['STATE_ODD', state('/LW -9')],
  'an end of lines that does not exist': ['STATE_ODD', state('/LC 9')],
  'a corner that does not exist': ['STATE_ODD', state('/LJ 9')],
  'a limit of corners that some readers ignore': ['STATE_ODD', state('/ML 101')],
  'no limit of corners': ['STATE_ODD', state('/ML 0')],
  'dashes of no length': ['STATE_ODD', state('/D [[0 0] 0]')],
  'dashes that begin before their start': ['STATE_ODD', state('/D [[3 3] -1]')],
  'dashes in place of an array': ['STATE_ODD', state('/D [9 0]')],
  'a background in place of an array': ['STATE_ODD', mask('/S /Luminosity /BC 1')],
  'a mask without its kind': ['STATE_ODD', mask('')],
  'a mask that is not a group': [
    'STATE_ODD',
    { ...mask('/S /Alpha'), objects: [form('/Subtype /Form')] },
  ],
  'a mask of brightness without a colour space': [
    'STATE_ODD',
    { ...mask('/S /Luminosity'), objects: [form('/Subtype /Form /Group << /S /Transparency >>')] },
  ],
  'negative flags of an annotation': [
    'PLACE_ODD',
    { annotations: '<< /Type /Annot /Subtype /Stamp /Rect [0 0 9 9] /F -1 >>' },
  ],
  'a layer for designers': [
    'LAYER_HIDDEN',
    layer('', '<< /Type /OCG /Name (L) /Intent /Design >>'),
  ],
  'a configuration for designers': ['LAYER_HIDDEN', layer('/Intent /Design')],
  'a configuration without an intent': ['LAYER_HIDDEN', layer('/Intent []')],
  'white with overprint': ['STATE_ODD', overprinted('/OP true /OPM 1', '0 0 0 0 k')],
  'white lines with overprint': [
    'STATE_ODD',
    overprinted('/OP true /op false /OPM 1', '0 0 0 0 K 0 0 9 9 re S'),
  ],
  'no ink with overprint': ['STATE_ODD', overprinted('/op true', '/S cs 0 scn')],
  'a mask with a transfer function': ['STATE_ODD', mask(`/S /Luminosity /TR ${WHITE}`)],
  'an ink in place of grey': [
    'COLOURS_ODD',
    space('DefaultGray', `[/Separation /X /DeviceGray ${WHITE}]`),
  ],
  'a state that is named by a pattern': [
    'STATE_ODD',
    { resources: `/Pattern << /P << /PatternType 2 /ExtGState << /ca -1 >> >> >>` },
  ],
  'a form without a subtype': ['XOBJECT_ODD', object(form(''))],
  'a form without a box': ['XOBJECT_ODD', object(streamOf('/Subtype /Form', SQUARE))],
  PostScript: ['XOBJECT_ODD', object(form('/Subtype /PS'))],
  'a page of another file': [
    'XOBJECT_ODD',
    object(form('/Subtype /Form /Ref << /F (b.pdf) /Page 0 >>')),
  ],
  'a proxy of a picture': ['XOBJECT_ODD', object(form('/Subtype /Form /OPI << >>'))],
  'a layer that is off': ['LAYER_HIDDEN', layer(`/OFF [${FIRST}]`)],
  'layers that are off': ['LAYER_HIDDEN', layer('/BaseState /OFF')],
  'another configuration': [
    'LAYER_HIDDEN',
    {
      ...layer(''),
      catalog: `/OCProperties << /OCGs [${FIRST}] /D << >> /Configs [<< /OFF [${FIRST}] >>] >>`,
    },
  ],
  'a layer that is only printed': ['LAYER_HIDDEN', usage('/View << /ViewState /OFF >>')],
  'a layer that is not printed': ['LAYER_HIDDEN', usage('/Print << /PrintState /OFF >>')],
  'a layer of one language': ['LAYER_HIDDEN', usage('/Language << /Lang (sk) >>')],
  'a layer of one size': ['LAYER_HIDDEN', usage('/Zoom << /min 5 >>')],
  'what is seen while a layer is off': ['LAYER_HIDDEN', membership(`/OCGs ${FIRST} /P /AnyOff`)],
  'an unknown policy': ['LAYER_HIDDEN', membership(`/OCGs ${FIRST} /P /Some`)],
  'no layers': ['LAYER_HIDDEN', membership('/OCGs []')],
  'a membership within another': ['LAYER_HIDDEN', membership(`/OCGs [${THIRD}]`)],
  'a negation': ['LAYER_HIDDEN', membership(`/VE [/Not ${FIRST}]`)],
  'an unknown expression': ['LAYER_HIDDEN', membership(`/VE [/Xor ${FIRST} ${FIRST}]`)],
  'an empty expression': ['LAYER_HIDDEN', membership('/VE []')],
  'an expression without an end': ['LAYER_HIDDEN', membership(`/VE ${SECOND} /OCGs ${FIRST}`)],
  'a glyph font without a matrix': ['FONT_ODD', glyphs(NAMES)],
  'a glyph font without names': ['FONT_ODD', glyphs(MATRIX)],
  'a glyph font that moves its glyphs': [
    'FONT_ODD',
    glyphs(`/FontMatrix [.001 0 0 .001 .5 .5] ${NAMES}`),
  ],
  'a glyph font that turns its glyphs': ['FONT_ODD', glyphs(`/FontMatrix [0 1 -1 0 0 0] ${NAMES}`)],
  'outlines of a glyph font': [
    'FONT_ODD',
    { ...glyphs(`${MATRIX} ${NAMES}`), content: 'BT 2 Tr /F1 200 Tf 20 20 Td (1) Tj ET' },
  ],
  'a font without a name': ['FONT_ODD', font('/Subtype /Type1')],
  'a font whose last code is before the first': [
    'FONT_ODD',
    font('/Subtype /Type1 /BaseFont /Helvetica /FirstChar 65 /LastChar 10 /Widths [600]'),
  ],
  'glyph names of odd codes': [
    'FONT_ODD',
    font('/Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [65.5 /space] >>'),
  ],
  'invisible glyphs of a glyph font': [
    'FONT_ODD',
    { ...glyphs(`${MATRIX} ${NAMES}`), content: 'BT 3 Tr /F1 200 Tf 20 20 Td (1) Tj ET' },
  ],
  'a glyph beyond its box': [
    'GLYPH_CUT',
    glyphs(`${MATRIX} ${NAMES}`, '600 0 0 0 1 1 d1 0 0 600 600 re f'),
  ],
  'the box of a glyph in a form': [
    'CONTENT_ORDER',
    object(form('/Subtype /Form', `600 0 0 0 9 9 d1 ${SQUARE}`)),
  ],
  'a path that a form leaves behind': [
    'CONTENT_ORDER',
    { ...object(form('/Subtype /Form', '20 20 300 300 re')), content: '/X Do f' },
  ],
  'amounts of another colour space': ['CONTENT_OPERANDS', { content: '1 1 0 sc 9 9 90 90 re f' }],
  'more operands than pdf.js takes': [
    'CONTENT_OPERANDS',
    { content: `20 20 300 300 re ${'1 '.repeat(40)} f` },
  ],
  'a glyph with a state of the page': [
    'RESOURCE_MISSING',
    glyphs(`${MATRIX} ${NAMES}`, '/G gs 9 9 re f'),
  ],
}
for (const [what, [code, spec]] of Object.entries(REFUSED)) {
  t.test(`intake refuses ${what}`, async (t) => t.match(verdictOn(drawn(spec)), FAULTS[code].text))
}

const TAKEN: Readonly<Record<string, Drawn>> = {
  'a plain page': {},
  'transfer functions of the device': state('/TR /Identity /TR2 /Default'),
  'an opacity': state('/ca 0.5 /CA 1'),
  'a mode that is alike on paper': state('/BM [/Multiply]'),
  'a mode of a group': { ...object(form(`/Subtype /Form ${GROUP}`)), ...mixed },
  'a mode of a form that does not set any': { ...object(form('/Subtype /Form')), ...mixed },
  'a mode that ends before a form': {
    ...object(form('/Subtype /Form')),
    ...mixed,
    content: '/G gs 0 0 9 9 re f /N gs /X Do',
  },
  'a group that removes nothing': knockout('false', '/G gs 1 g'),
  'a group whose parts are opaque': knockout('true', '1 g'),
  'a device colour space with its own name': space('DeviceGray', '/DeviceGray'),
  'light glyphs of a glyph font': { ...glyphs(`${MATRIX} ${NAMES}`), ...light('1') },
  'a line': state('/LW 0 /LC 2 /LJ 1 /ML 10 /D [[3 0] 1]'),
  'no mask': state('/SMask /None'),
  'black with overprint': overprinted('/OP true /OPM 1', '0 0 0 1 k'),
  'white lines beside overprint of areas': overprinted(
    '/OP false /op true /OPM 1',
    '0 0 0 1 k 0 0 0 0 K 0 0 9 9 re S',
  ),
  'white with overprint of whole colours': overprinted('/OP true /OPM 0', '0 0 0 0 k'),
  'a mask of opacity': {
    ...mask('/S /Alpha'),
    objects: [form('/Subtype /Form /Group << /S /Transparency >>')],
  },
  'a mask of brightness': mask('/S /Luminosity /BC [0]'),
  'calibrated grey by default': space('DefaultGray', '[/CalGray << /WhitePoint [0.95 1 1.09] >>]'),
  'a form': object(form('/Subtype /Form')),
  'a layer for designers and others': layer(
    '/Intent [/Design /View]',
    '<< /Type /OCG /Name (L) /Intent [/View /Design] >>',
  ),
  'a layer that is on': layer(`/ON [${FIRST}] /BaseState /ON /OFF []`),
  'a layer that is always shown': usage(
    '/View << /ViewState /ON >> /Print << /PrintState /ON >> /CreatorInfo << /Creator (x) >>',
  ),
  'a membership': membership(`/OCGs [${FIRST}] /P /AllOn`),
  'a membership without layers': membership(''),
  'an expression': membership(`/VE [/And ${FIRST} [/Or ${FIRST} ${FIRST}]] /OCGs ${FIRST}`),
  'a glyph font': glyphs(`${MATRIX} ${NAMES}`),
  'a glyph font behind an invisible text': {
    ...glyphs(`${MATRIX} ${NAMES}`),
    content: 'q 3 Tr Q BT /F1 200 Tf 20 20 Td (1) Tj ET',
  },
  'a font': font('/Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [65 /B /C] >>'),
}
for (const [what, spec] of Object.entries(TAKEN)) {
  t.test(`intake takes ${what}`, async (t) => t.equal(verdictOn(drawn(spec)), 'accepted'))
}

/** Documents that two viewers draw with very different amounts of ink. */
const SEEN: Readonly<Record<string, Drawn>> = {
  'a transfer function': state(`/TR ${WHITE}`),
  'a layer that is only printed': usage('/View << /ViewState /OFF >>'),
  'a state that was not saved': { content: `Q ${SQUARE}` },
  'clipping without a path': { content: `W n ${SQUARE}` },
  'a colour without amounts': { content: `1 g sc ${SQUARE.replace('0 g ', '')}` },
  'too many amounts': { content: `1 1 0 sc ${SQUARE.replace('0 g ', '')}` },
}
const skip = ['pdftoppm', 'mutool'].some((name) => !isInstalled(name)) && 'no viewers'
t.test('the viewers of the tests do show these documents differently', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'shown-alike-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'a.pdf')
  const inkOf = (command: string, args: readonly string[]) => {
    const output = execFileSync(command, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    return readPgm(output)[0]?.gray.reduce((sum, shade) => sum + (shade < 128 ? 1 : 0), 0) ?? 0
  }
  for (const [what, spec] of Object.entries(SEEN)) {
    writeFileSync(path, drawn(spec))
    const poppler = inkOf('pdftoppm', ['-gray', '-r', '20', path])
    const mupdf = inkOf('mutool', [
      'draw',
      '-q',
      '-c',
      'gray',
      '-F',
      'pgm',
      '-r',
      '20',
      '-o',
      '-',
      path,
    ])
    t.ok(Math.abs(poppler - mupdf) > 1_000, `${what}: ${poppler} and ${mupdf} pixels`)
    t.match(verdictOn(drawn(spec)), 'differently', what)
  }
})
