/** A new field of a tagged document gets its element of the structure tree. */
import t from 'tap'
import { buildPdf } from '../../fixtures/pdf.ts'
import { sourceOf, withEntry } from '../../fixtures/revisions.ts'
import { appendSigned, FIELD, SIGNATURE, withFieldOnPage } from './foreign-signer.ts'
import { signSample } from './sample.ts'
import {
  PAGE,
  CONTENT,
  RECTANGLE,
  FIRST,
  SECOND,
  THIRD,
  NEW,
  assertPassed,
  assertRefused,
} from './later-changes.ts'

/** A tagged document: root, element of the document, number tree, and an element of the page. */
const TAGGED = {
  root:
    `<< /Type /StructTreeRoot /K ${SECOND} 0 R /ParentTree ${THIRD} 0 R` +
    ' /ParentTreeNextKey 1 >>',
  document: `<< /Type /StructElem /S /Document /P ${FIRST} 0 R /K [${THIRD + 1} 0 R] >>`,
  tree: `<< /Nums [0 [${THIRD + 1} 0 R]] >>`,
  paragraph: `<< /Type /StructElem /S /P /P ${SECOND} 0 R /Pg ${PAGE} 0 R /K 0 >>`,
}

const ELEMENT = NEW + 1

/** A signature in a tagged document, whose widget gets an element as signing programs write it. */
async function signedTagged(changes: Record<number, (source: string) => string> = {}, extra = '') {
  const file = await signSample(
    buildPdf({
      catalog: `/StructTreeRoot ${FIRST} 0 R /MarkInfo << /Marked true >>`,
      pages: [{ extra }],
      objects: Object.values(TAGGED),
    }),
  )
  const reference = `<< /Type /OBJR /Obj ${FIELD} 0 R /Pg ${PAGE} 0 R >>`
  const objects: Record<number, string> = {
    ...withFieldOnPage(file, `${RECTANGLE} /F 4 /V ${SIGNATURE} 0 R /StructParent 1`),
    [FIRST]: TAGGED.root.replace('Key 1', 'Key 2'),
    [SECOND]: TAGGED.document.replace(']', ` ${ELEMENT} 0 R]`),
    [THIRD]: TAGGED.tree.replace(']]', `] 1 ${ELEMENT} 0 R]`),
    [ELEMENT]: `<< /Type /StructElem /S /Form /P ${SECOND} 0 R /Pg ${PAGE} 0 R /K ${reference} >>`,
  }
  for (const [number, change] of Object.entries(changes)) {
    const before = objects[Number(number)] ?? sourceOf(file, Number(number))
    objects[Number(number)] = change(before)
    t.not(objects[Number(number)], before)
  }
  return appendSigned(file, objects)
}

t.test('a new widget may get an element of the structure tree', async (t) => {
  await assertPassed(t, await signedTagged())
  const inArray = (source: string) => source.replace(/\/K (<<.*>>) >>/, '/K [$1] >>')
  await assertPassed(t, await signedTagged({ [ELEMENT]: inArray }))
})

const OTHER_STRUCTURE: Readonly<Record<string, Record<number, (source: string) => string>>> = {
  'text of its own': { [ELEMENT]: (source) => withEntry(source, '/ActualText (PAY 9999)') },
  'another role': { [ELEMENT]: (source) => source.replace('/Form', '/P') },
  'content of the page': { [ELEMENT]: (source) => source.replace(/\/K <<.*>> >>/, '/K 0 >>') },
  'another object': { [ELEMENT]: (source) => source.replace(`/Obj ${FIELD}`, `/Obj ${CONTENT}`) },
  'a parent elsewhere': { [ELEMENT]: (source) => source.replace(`/P ${SECOND}`, `/P ${PAGE}`) },
  'a place before others': {
    [SECOND]: () => TAGGED.document.replace('[', `[${ELEMENT} 0 R `),
  },
  'a signed element less': { [SECOND]: (source) => source.replace(`${THIRD + 1} 0 R`, '') },
  'another title of a signed element': {
    [SECOND]: (source) => withEntry(source, '/ActualText (PAY 9999)'),
  },
  'a changed sibling': { [THIRD + 1]: (source) => withEntry(source, '/Alt (PAY 9999)') },
  'a number that is taken': { [THIRD]: (source) => source.replace('] 1 ', '] 0 ') },
  'a role map': { [FIRST]: (source) => withEntry(source, '/RoleMap << /P /Artifact >>') },
  'a smaller next key': { [FIRST]: (source) => source.replace('Key 2', 'Key 0') },
}

for (const [what, changes] of Object.entries(OTHER_STRUCTURE)) {
  t.test(`a structure tree with ${what} is not permitted`, async (t) => {
    await assertRefused(t, await signedTagged(changes))
  })
}

t.test('an element that is something else as well does not change', async (t) => {
  await assertRefused(t, await signedTagged({}, `/PieceInfo ${SECOND} 0 R`))
})
