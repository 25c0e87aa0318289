/** Defaults of a form are used where readers make appearances. */
import t from 'tap'
import { readDocument } from '../../../pades/pdf/open.ts'
import {
  hasUnusedAppearance,
  resourcesOnlyGrew,
} from '../../../pades/validate/default-resources.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'

const LOOK = FIRST_EXTRA + 1

/** Whether resources and appearance may change in a form with these entries and this field. */
const verdicts = (form: string, field: string): boolean[] =>
  readDocument(
    buildPdf({
      catalog: `/AcroForm << /Fields [${FIRST_EXTRA} 0 R] /DA (/F1 0 Tf) /DR << >> ${form} >>`,
      objects: [`<< /FT /Tx /T (t) /AP << /N ${LOOK} 0 R >> ${field} >>`, '<< >>'],
    }),
    (document) => {
      const dictionary = document.dictionary(document.catalog.get('AcroForm')) ?? new Map()
      return [
        resourcesOnlyGrew(document, dictionary, document, dictionary.get('DR')),
        hasUnusedAppearance(document, dictionary),
      ]
    },
  )

t.test('readers that make appearances use the defaults', async (t) => {
  const own = '/DA (/F1 9 Tf)'
  t.same(verdicts('', own), [true, true])
  t.same(verdicts('/NeedAppearances false', own), [true, true])
  t.same(verdicts('/NeedAppearances true', own), [false, false])
  t.same(verdicts('/NeedAppearances (odd)', own), [false, false])
  t.same(verdicts('', ''), [true, false], 'the field has no appearance of its own')
})

t.test('a field inherits the appearance of the field above it', async (t) => {
  const kid = `/Kids [<< /Subtype /Widget /Parent ${FIRST_EXTRA} 0 R /AP << /N ${LOOK} 0 R >> >>]`
  t.same(verdicts('', `/DA (/F1 9 Tf) ${kid}`), [true, true])
  t.same(verdicts('', kid), [true, false])
})
