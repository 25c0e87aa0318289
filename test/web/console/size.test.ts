import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { buildWeb } from '../../../dev/build-web.ts'

/** Compressed, without the reader of PDFs. */
const SCRIPT_LIMIT_BYTES = 90 * 1024

t.test('the console is light before there is a document to read', async (t) => {
  const dist = await buildWeb()
  const html = readFileSync(join(dist, 'console/index.html'), 'utf8')
  const scripts = new Set(html.match(/assets\/[^"]+\.js/g))
  t.ok(scripts.size > 1)
  const bytes = [...scripts].map((path) => gzipSync(readFileSync(join(dist, path))).length)
  const total = bytes.reduce((sum, length) => sum + length, 0)
  t.comment(`${total} bytes`)
  t.ok(total < SCRIPT_LIMIT_BYTES, `${total} bytes`)
})
