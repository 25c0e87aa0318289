/** Defaults of a form may change after a signature where no field uses them. */
import type { Buffer } from 'node:buffer'
import t from 'tap'
import { buildPdf } from '../../fixtures/pdf.ts'
import { appended, referenceIn, sourceOf } from '../../fixtures/revisions.ts'
import { signSample } from './sample.ts'
import { PAGE, CATALOG, FIRST, SECOND, assertPassed, assertRefused } from './later-changes.ts'

t.test('defaults of a form change where no field uses them', async (t) => {
  const changed = async (field: string): Promise<Buffer> => {
    const file = await signSample(
      buildPdf({
        catalog: `/AcroForm << /Fields [${field}] /DA (/A 0 Tf) /DR ${SECOND} 0 R >>`,
        objects: [
          `<< /FT /Tx /T (t) /Subtype /Widget /Rect [0 0 9 9] /P ${PAGE} 0 R /V (x) >>`,
          '<< /Font << >> >>',
        ],
      }),
    )
    const form = referenceIn(sourceOf(file, CATALOG), 'AcroForm')
    const owner = Number.isNaN(form) ? CATALOG : form
    const other = sourceOf(file, owner).replace('(/A 0 Tf)', '(/B 0 Tf)')
    return appended(file, { [owner]: other, [SECOND]: '<< /Font << /B 3 0 R >> >>' })
  }
  await assertPassed(t, await changed(''))
  await assertRefused(t, await changed(`${FIRST} 0 R`))
})
