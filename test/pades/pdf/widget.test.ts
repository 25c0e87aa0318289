import t from 'tap'
import { readDocument } from '../../../pades/pdf/open.ts'
import {
  hasValue,
  inherited,
  isButton,
  isPushButton,
  isUntyped,
  stateOf,
} from '../../../pades/pdf/widget.ts'
import type { PdfDocument } from '../../../pades/pdf/document.ts'
import type { PdfDictionary } from '../../../pades/pdf/values.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'

const PUSH_BUTTON = 1 << 16
const COMBO = 1 << 17

/** Asks about the first of the objects, which is a widget. */
function about<T>(
  objects: readonly string[],
  ask: (document: PdfDocument, widget: PdfDictionary) => T,
): T {
  const bytes = buildPdf({ catalog: `/First ${FIRST_EXTRA} 0 R`, objects })
  return readDocument(bytes, (document) => {
    const widget = document.dictionary(document.catalog.get('First'))
    if (!widget) throw new Error('the widget is missing')
    return ask(document, widget)
  })
}

const widget = (entries: string) => [`<< /Subtype /Widget ${entries} >>`]
const child = (entries: string, parent: string) => [
  `<< /Subtype /Widget /Parent ${FIRST_EXTRA + 1} 0 R ${entries} >>`,
  `<< ${parent} >>`,
]

t.test('an entry comes from the nearest field that has it', async (t) => {
  const flags = (objects: string[]) => about(objects, (...of) => inherited(...of, 'Ff'))
  t.equal(flags(child('', '/Ff 7')), 7)
  t.equal(flags(child('/Ff 1', '/Ff 7')), 1)
  t.equal(flags(widget('')), null)
  t.equal(flags([`<< /Parent ${FIRST_EXTRA} 0 R >>`]), null, 'a field that is its own parent')
})

t.test('the kinds of widgets are distinguished', async (t) => {
  t.ok(about(child('', '/FT /Btn'), isButton))
  t.notOk(about(widget('/FT /Tx'), isButton))
  t.ok(about(widget(''), isUntyped))
  t.notOk(about(child('', '/FT /Btn'), isUntyped))
  t.notOk(about(['<< /Subtype /Link >>'], isUntyped))
  t.ok(about(child('', `/FT /Btn /Ff ${PUSH_BUTTON}`), isPushButton))
})

t.test('the state of a check box is found', async (t) => {
  t.equal(about(widget('/FT /Btn /AS /On /V /Off'), stateOf), 'On')
  t.equal(about(child('', '/FT /Btn /V /On'), stateOf), 'On')
  t.equal(about(widget('/FT /Btn'), stateOf), 'Off')
  t.equal(about(widget(`/FT /Btn /Ff ${PUSH_BUTTON} /AS /On`), stateOf), undefined)
  t.equal(about(widget('/FT /Tx /AS /On'), stateOf), undefined)
})

t.test('values that viewers show are found', async (t) => {
  t.ok(about(widget('/FT /Tx /V (text)'), hasValue))
  t.ok(about(widget('/FT /Tx /DV (default)'), hasValue))
  t.notOk(about(widget('/FT /Tx'), hasValue))
  t.ok(about(widget('/FT /Btn /AS /On'), hasValue))
  t.notOk(about(widget('/FT /Btn /AS /Off /V /On'), hasValue))
  t.notOk(about(widget('/FT /Btn /V /Off'), hasValue))
  t.ok(about(widget('/FT /Ch /Opt [(one)]'), hasValue), 'a list box shows its options')
  t.notOk(about(widget(`/FT /Ch /Ff ${COMBO} /Opt [(one)]`), hasValue))
})
