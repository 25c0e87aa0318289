/**
 * `npm run compare-pages -- FILE|FOLDER …` signs documents and compares each page before and
 * after in pdf.js, Poppler and MuPDF, outside the places of the signatures. Exit code 1: a page
 * looks different.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { DenoPdfSandbox } from '../adapters/pdf-sandbox/pdf-sandbox.ts'
import { calledFrom, runTool, UsageError } from '../cli/usage.ts'
import { PadesError } from '../pades/index.ts'
import { type Comparison, PageComparer } from './compare-pages/compare-document.ts'

const USAGE = `usage: npm run compare-pages -- FILE|FOLDER …

Signs each PDF as the service does, and compares its pages before and after in pdf.js, Poppler and
MuPDF, outside the places of the signatures. Intake rejects some documents; they are listed with the
reason. Needs pdftoppm and mutool.`

/** @returns paths of the PDF files, in order */
function listFiles(paths: readonly string[]): string[] {
  const folder = calledFrom('compare-pages')
  return paths.flatMap((path) => {
    const full = resolve(folder, path)
    if (!statSync(full).isDirectory()) return [full]
    const names = readdirSync(full, { recursive: true, encoding: 'utf8' })
    const documents = names.filter((name) => name.toLowerCase().endsWith('.pdf'))
    return documents.toSorted().map((name) => join(full, name))
  })
}

async function main(): Promise<number> {
  const files = listFiles(process.argv.slice(2))
  if (files.length === 0) throw new UsageError('which documents?')
  const sandbox = new DenoPdfSandbox()
  const comparer = new PageComparer(sandbox)
  const totals = { documents: 0, pages: 0, different: 0, rejected: 0, failed: 0 }
  try {
    for (const file of files) {
      const result = await compareFile(comparer, file)
      if (typeof result === 'string') {
        totals.failed += 1
        console.log(`${file}: ${result}`)
        continue
      }
      report(file, result)
      totals.documents += 1
      totals.pages += result.pages
      totals.different += result.different.size
      if (result.rejected !== undefined) totals.rejected += 1
    }
  } finally {
    await comparer.close()
    await sandbox.close()
  }
  const { documents, pages, different, rejected, failed } = totals
  console.log(`${documents} documents, ${pages} pages, ${different} pages look different`)
  console.log(`${rejected} rejected by intake, ${failed} failed`)
  return different + failed === 0 ? 0 : 1
}

/** @returns a sentence when a document that intake accepts cannot be signed or drawn */
async function compareFile(comparer: PageComparer, file: string): Promise<Comparison | string> {
  try {
    return await comparer.compare(readFileSync(file))
  } catch (error) {
    if (error instanceof PadesError) return `accepted, but signing fails with ${error.code}`
    return `accepted, but not compared: ${error instanceof Error ? error.message : String(error)}`
  }
}

function report(file: string, { different, rejected }: Comparison): void {
  if (rejected !== undefined) console.log(`${file}: rejected: ${rejected}`)
  for (const [page, reasons] of different) {
    console.log(`${file}: page ${page}: ${reasons.join('; ')}`)
  }
}

await runTool(main, USAGE)
