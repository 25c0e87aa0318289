import t from 'tap'
import { mayReadAnother } from '../../../adapters/pdf-sandbox/kept-usage.ts'

const MEGABYTE = 1024 * 1024
const usage = (megabytes: number, user: number, system: number) => ({
  residentBytes: megabytes * MEGABYTE,
  cpu: { user, system },
})

t.test('a process waits while it has used little', async (t) => {
  t.equal(mayReadAnother(usage(130, 2_000_000, 300_000)), true)
  t.equal(mayReadAnother(usage(200, 4_000_000, 1_000_000)), true, 'at both limits')
})

t.test('a process ends after much memory or CPU time', async (t) => {
  t.equal(mayReadAnother(usage(201, 0, 0)), false)
  t.equal(mayReadAnother(usage(130, 5_000_001, 0)), false)
  t.equal(mayReadAnother(usage(130, 3_000_000, 2_000_001)), false, 'both times count')
})
