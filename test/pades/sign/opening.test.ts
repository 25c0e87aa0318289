/** Nothing starts by itself in a signed document: qpdf looks for what remains in the catalog. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { PadesError } from '../../../pades/errors.ts'
import { rehearse } from '../../../pades/sign/rehearse.ts'
import { isInstalled } from '../../../dev/outside-programs.ts'
import { buildPdf, FILE_STRUCTURES, FIRST_EXTRA } from '../../fixtures/pdf.ts'
import { appended, sourceOf, withEntry } from '../../fixtures/revisions.ts'
import { signSample } from '../validate/sample.ts'

const REHEARSAL = {
  signers: [
    {
      fieldName: 'Janka',
      name: 'Janka',
      places: [{ page: 1, x: 10, y: 10, width: 90, height: 40, unit: 'pt' as const }],
    },
  ],
  seal: { fieldName: 'Seal', name: 'Seal' },
  archiveFieldName: 'Archive',
}
const SCRIPT = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'
const TREE = `<< /JavaScript << /Names [(a) ${SCRIPT}] >> /Dests << /Names [] >> >>`

async function outcome(file: Uint8Array): Promise<Uint8Array | string> {
  try {
    return await rehearse(file, REHEARSAL)
  } catch (error) {
    if (error instanceof PadesError) return error.code
    throw error
  }
}

/** The catalog of a file, as qpdf reads it. */
function catalogOf(file: Uint8Array): Record<string, unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'opening-'))
  try {
    const path = join(folder, 'a.pdf')
    writeFileSync(path, file)
    const json = execFileSync(
      'qpdf',
      ['--json=1', '--json-key=objects', '--warning-exit-0', path],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    const { objects } = JSON.parse(json.toString()) as {
      objects: Record<string, Record<string, unknown>>
    }
    const catalog = Object.values(objects).find((one) => one['/Type'] === '/Catalog') ?? {}
    const names = catalog['/Names']
    return { ...catalog, '/Names': typeof names === 'string' ? objects[names] : names }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const LEFT_OUT: Readonly<Record<string, { catalog: string; objects?: readonly string[] }>> = {
  'a script on opening': { catalog: `/OpenAction ${SCRIPT}` },
  'a script behind a place': {
    catalog: `/OpenAction << /S /GoTo /D [10 0 R /Fit] /Next ${SCRIPT} >>`,
  },
  'another file on opening': { catalog: '/OpenAction << /S /GoToR /F (b.pdf) /D [0 /Fit] >>' },
  'layers on opening': { catalog: '/OpenAction << /S /SetOCGState /State [/OFF] >>' },
  'an action of its own object': { catalog: `/OpenAction ${FIRST_EXTRA} 0 R`, objects: [SCRIPT] },
  'the same action twice': { catalog: `/OpenAction ${SCRIPT} /OpenAction ${SCRIPT}` },
  'a script before printing': { catalog: `/AA << /WP ${SCRIPT} >>` },
  'named scripts': { catalog: `/Names ${TREE}` },
  'named scripts in an object': { catalog: `/Names ${FIRST_EXTRA} 0 R`, objects: [TREE] },
  'a portfolio': { catalog: '/Collection << /View /D >>' },
  'all of them in a form': {
    catalog: `/OpenAction ${SCRIPT} /AcroForm ${FIRST_EXTRA} 0 R /Names ${TREE}`,
    objects: ['<< /Fields [] >>'],
  },
}
const skip = !isInstalled('qpdf') && 'qpdf is missing'
for (const [index, [what, spec]] of Object.entries(LEFT_OUT).entries()) {
  t.test(`signing leaves out ${what}`, { skip }, async (t) => {
    const structure = FILE_STRUCTURES[index % 3]
    const signed = await outcome(buildPdf({ structure, ...spec }))
    if (typeof signed === 'string') return t.fail(signed)
    const catalog = catalogOf(signed)
    for (const key of ['/AA', '/Collection']) t.notOk(key in catalog, key)
    t.notMatch(catalog['/OpenAction'] ?? '', /JavaScript|GoToR|OCG/)
    t.notOk(catalog['/OpenAction'])
    t.notOk('/JavaScript' in ((catalog['/Names'] as object | undefined) ?? {}))
    t.ok('/AcroForm' in catalog)
  })
}

t.test('a place that is shown first and other names stay', { skip }, async (t) => {
  const spec = { catalog: `/OpenAction [10 0 R /Fit] /Names ${TREE}` }
  const signed = await outcome(buildPdf(spec))
  if (typeof signed === 'string') return t.fail(signed)
  const catalog = catalogOf(signed)
  t.match(catalog['/OpenAction'], ['10 0 R', '/Fit'])
  t.match(catalog['/Names'], { '/Dests': {} })
})

const REFUSED: Readonly<Record<string, Parameters<typeof buildPdf>[0]>> = {
  'a script of a page': { pages: [{ extra: `/AA << /O ${SCRIPT} >>` }] },
  'a script of an annotation': {
    pages: [{ extra: `/Annots [${FIRST_EXTRA} 0 R]` }],
    objects: [`<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /AA << /PV ${SCRIPT} >> >>`],
  },
  'one object for the form and the names': {
    catalog: `/Names ${FIRST_EXTRA} 0 R /AcroForm ${FIRST_EXTRA} 0 R`,
    objects: [`<< /Fields [] /JavaScript << /Names [(a) ${SCRIPT}] >> >>`],
  },
}
for (const [what, spec] of Object.entries(REFUSED)) {
  t.test(`intake refuses ${what}`, async (t) => {
    t.match(await outcome(buildPdf(spec)), /^(AMBIGUOUS|DEFIES_SIGNING)$/)
  })
}

t.test('scripts under an earlier signature are refused: they cannot be left out', async (t) => {
  const signed = await signSample(buildPdf())
  t.type(await outcome(signed), Uint8Array)
  const catalog = withEntry(sourceOf(signed, 1), `/OpenAction ${SCRIPT}`)
  t.equal(await outcome(appended(signed, { 1: catalog })), 'AMBIGUOUS')
})
