/** What a tenant learns about the signatures that an upload carries. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { DocumentWarning } from '../../domain/cases/document-warnings.ts'
import { SandboxBusyError, type PdfSandbox } from '../../domain/ports/pdf-sandbox.ts'
import { checkExistingSignatures } from '../../workers/existing-signatures.ts'
import { librarySandbox } from '../fixtures/library-sandbox.ts'
import { buildPdf } from '../fixtures/pdf.ts'
import { longTerm, NOW } from '../fixtures/pki.ts'
import { appended, referenceIn, sourceOf, stream } from '../fixtures/revisions.ts'
import { signSample } from '../pades/validate/sample.ts'

const check = (pdf: Uint8Array, sandbox: Pick<PdfSandbox, 'validate'> = librarySandbox) =>
  checkExistingSignatures(pdf, { sandbox, now: () => NOW })

const signed = Buffer.from(await signSample())

t.test('signatures by unknown signers are accepted if they are intact', async (t) => {
  t.same(await check(signed), [])
  t.same(await check(await signSample(buildPdf(), { longTerm })), [])
  t.same(await check(buildPdf()), [])
})

t.test('every signature over changed bytes is broken, with the name of its field', async (t) => {
  const broken = Buffer.from(signed)
  broken[300] ^= 1
  t.same(await check(broken), [
    { code: 'SIGNATURE_BROKEN', fieldName: 'Janka' },
    { code: 'SIGNATURE_BROKEN', fieldName: 'Lubos' },
    { code: 'SIGNATURE_BROKEN', fieldName: 'Seal' },
  ])
})

t.test('a time-stamp of the document counts as well', async (t) => {
  const broken = Buffer.from(await signSample(buildPdf(), { longTerm }))
  broken[300] ^= 1
  const codes = (await check(broken)).map(({ code }) => code)
  t.same(codes, Array(4).fill('SIGNATURE_BROKEN'))
})

t.test('content that a later revision replaces', async (t) => {
  const [, page] = /\/Kids \[\s*(\d+) 0 R/.exec(signed.toString('latin1')) ?? []
  const contents = referenceIn(sourceOf(signed, Number(page)), 'Contents')
  const changed = appended(signed, { [contents]: stream('BT /F1 12 Tf 72 700 Td (9) Tj ET') })
  const warnings = await check(changed)
  t.ok(warnings.length > 0)
  t.ok(
    warnings.every(({ code }) => code === 'CHANGED_AFTER_SIGNING'),
    JSON.stringify(warnings),
  )
})

t.test('a validation that takes too long is said, one that fails is tried again', async (t) => {
  let limitMs: number | undefined
  const busy = async (_pdf: Uint8Array, _request: unknown, timeMs?: number) => {
    limitMs = timeMs
    throw new SandboxBusyError(timeMs ?? 0)
  }
  t.same(await check(signed, { validate: busy }), [{ code: 'SIGNATURES_NOT_CHECKED' }])
  t.ok(limitMs && limitMs <= 10_000, `${limitMs} ms`)
  const unreadable = async () => ({ outcome: 'unreadable' }) as const
  t.same(await check(signed, { validate: unreadable }), [{ code: 'SIGNATURES_NOT_CHECKED' }])
  const lost = async () => {
    throw new Error('the sandbox is gone')
  }
  await t.rejects(check(signed, { validate: lost }), { message: 'the sandbox is gone' })
})

t.test('names from the PDF fit the status of a case, whatever they are', async (t) => {
  const broken = Buffer.from(signed)
  broken[300] ^= 1
  const { maxLength = 0, minLength = 0 } = DocumentWarning.properties.fieldName
  for (const name of ['', '\u202egpj.exe\u0000\n', 'x'.repeat(5_000), `${'x'.repeat(99)}😀`]) {
    const validate: PdfSandbox['validate'] = async (...asked) => {
      const verdict = await librarySandbox.validate(...asked)
      if (verdict.outcome !== 'validated') throw new Error(verdict.outcome)
      const { report } = verdict.validation
      const [first] = report.signatures
      if (!first) throw new Error('no signature')
      const signatures = Array.from({ length: 500 }, () => ({ ...first, fieldName: name }))
      return {
        ...verdict,
        validation: { ...verdict.validation, report: { ...report, signatures } },
      }
    }
    const warnings = await check(broken, { validate })
    t.equal(warnings.length, 10)
    const { fieldName } = warnings[0] ?? {}
    if (name === '') t.equal(fieldName, undefined)
    else {
      t.ok(fieldName && fieldName.length >= minLength && fieldName.length <= maxLength)
      t.notMatch(fieldName, /[\p{Cc}\p{Bidi_Control}]/u)
      t.ok(fieldName?.isWellFormed())
    }
  }
})
