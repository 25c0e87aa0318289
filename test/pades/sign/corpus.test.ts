/** Signs PDFs that others made; our reader judges, and Poppler and qpdf where they are there. */
import { Buffer } from 'node:buffer'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readDrawing } from '../../../pades/appearance/drawing.ts'
import { PadesError } from '../../../pades/errors.ts'
import { inspect } from '../../../pades/pdf/inspect.ts'
import type { Credential, SigningRequest } from '../../../pades/sign/request.ts'
import { signDocument } from '../../../pades/sign/sign-document.ts'
import { CORPUS } from '../../fixtures/corpus.ts'
import { type Identity, janka, lubos, NOW, seal, stamp } from '../../fixtures/pki.ts'
import { readSignatures } from './signed-pdf.ts'

const drawing = readDrawing('M 5 25 C 20 0 25 50 40 20 S 60 0 80 30 L 95 10')

const credentialOf = ({ certificates, algorithm, sign }: Identity): Credential => ({
  certificates,
  algorithm,
  sign,
})

const signer = (name: string, identity: Identity, x: number) => ({
  fieldName: `signature ${name}`,
  name,
  places: [
    { page: 1, x, y: 0.05, width: 0.4, height: 0.15, unit: 'fraction' as const },
    { page: 1, x, y: 0.8, width: 0.3, height: 0.1, unit: 'fraction' as const },
  ],
  appearance: { drawing, lines: [name, '2026-06-01 12:00 UTC'] },
  credential: () => credentialOf(identity),
})

const REQUEST: SigningRequest = {
  signers: [signer('Janka Žltá', janka, 0.05), signer('Ľuboš Šťastný', lubos, 0.55)],
  seal: { fieldName: 'seal', name: 'Service', credential: credentialOf(seal) },
  sealedAt: NOW,
  timeStamp: (digest) => stamp(digest),
}

/** What documents of these folders may be refused for; anything else is a fault. */
const REFUSALS = [
  'ENCRYPTED',
  'DAMAGED',
  'DAMAGED_AND_SIGNED',
  'CERTIFIED',
  'LOCKED',
  'NOT_A_PDF',
  'AMBIGUOUS',
]

const listFiles = (folder: string): string[] =>
  readdirSync(join(CORPUS, folder)).filter((name) => name.endsWith('.pdf'))

const isInstalled = (command: string): boolean =>
  spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined

const run = (command: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}

/** 0: no complaint; 1: warnings; 2: errors. */
const complaintsOf = (path: string): number => {
  const { status } = run('qpdf', '--check', path)
  return status === 2 ? 2 : status === 3 ? 1 : 0
}

const verdictsOf = (path: string): string[] =>
  Array.from(
    run('pdfsig', '-nocert', path).output.matchAll(/Signature Validation: (.*)/g),
    ([, verdict]) => verdict,
  )

/** Poppler says this of signatures it cannot parse; after another revision it tries harder. */
const NOT_VERIFIED = 'Signature has not yet been verified.'

function judgeByOthers(t: Test, original: string, signed: string, count: number): void {
  t.ok(complaintsOf(signed) <= complaintsOf(original), 'qpdf finds it no worse than the original')
  const before = verdictsOf(original)
  const after = verdictsOf(signed)
  t.same(after.slice(before.length), Array(count).fill('Signature is Valid.'), 'ours are valid')
  for (const [index, verdict] of before.entries()) {
    if (verdict !== NOT_VERIFIED) t.equal(after[index], verdict, 'theirs stay as they were')
  }
}

if (!existsSync(CORPUS)) {
  const skip = 'no corpus folder: set CORPUS_DIR to sign files of other programs'
  t.test('files of other programs are signed', { skip }, async () => {})
} else {
  const canJudge = isInstalled('qpdf') && isInstalled('pdfsig')
  if (!canJudge) t.comment('qpdf and pdfsig are not installed: only our own reader judges')
  const folder = mkdtempSync(join(tmpdir(), 'pades-corpus-'))
  t.teardown(() => rmSync(folder, { recursive: true }))

  t.test('pages, rotation and encryption are what Poppler says they are', async (t) => {
    const rows = readFileSync(join(CORPUS, 'documents', 'index.tsv'), 'utf8')
      .trim()
      .split('\n')
    for (const row of rows.slice(1)) {
      const [name, , pages, rotation, encrypted] = row.split('\t')
      const found = inspect(readFileSync(join(CORPUS, 'documents', name)))
      t.equal(found.encrypted, encrypted === 'yes', name)
      if (found.encrypted) continue
      t.equal(found.pageCount, Number(pages), name)
      t.equal(found.pages[0].rotate, Number(rotation), name)
    }
  })

  for (const kind of ['documents', 'pdf-validation']) {
    for (const name of listFiles(kind)) {
      t.test(`${kind}/${name} is signed or refused`, async (t) => {
        const path = join(CORPUS, kind, name)
        const original = readFileSync(path)
        try {
          const { bytes, revisions } = await signDocument(original, REQUEST)
          t.ok(Buffer.from(bytes).subarray(0, original.length).equals(original))
          const names = new Set(revisions.map(({ fieldName }) => fieldName))
          const ours = readSignatures(bytes, names)
          t.same(
            ours.map(({ isValid }) => isValid),
            revisions.map(() => true),
          )
          if (!canJudge) return
          const signed = join(folder, 'signed.pdf')
          writeFileSync(signed, bytes)
          judgeByOthers(t, path, signed, revisions.length)
        } catch (error) {
          if (!(error instanceof PadesError)) throw error
          t.ok(REFUSALS.includes(error.code), error.code)
        }
      })
    }
  }
}
