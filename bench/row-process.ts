/** Process of one row: sends its report to `npm run bench` and ends. */
import process from 'node:process'
import type { RowReport } from './report.ts'
import { ROWS } from './rows.ts'

const [, , name = '', rows] = process.argv
process.once('disconnect', () => process.exit())
const report = await ROWS[name]
  ?.run(rows === undefined ? undefined : Number(rows))
  .catch((error: unknown): RowReport => {
    return { measured: 'nothing', figures: [], void: String(error) }
  })
process.send?.(report, () => process.exit())
