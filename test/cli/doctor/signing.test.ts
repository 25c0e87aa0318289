/** `sigcase doctor` judges the certificates of a signing key by the time. */
import { join } from 'node:path'
import t from 'tap'
import { SoftwareKeys } from '../../../adapters/embedded/software-keys.ts'
import { signingKeyCheck } from '../../../cli/doctor/signing.ts'

const DAY_MS = 24 * 60 * 60 * 1000

t.test('certificates are valid now, not yet, soon not, or not any more', async (t) => {
  const device = await SoftwareKeys.open(join(t.testdir(), 'keys'), new Date(), '')
  const findingIn = (days: number) =>
    signingKeyCheck('seal', device, () => Date.now() + days * DAY_MS).ask()
  t.match(await findingIn(0), { outcome: 'ok' })
  t.match(await findingIn(-400), { outcome: 'failed', detail: /not valid yet/, remedy: /clock/ })
  t.match(await findingIn(100_000), { outcome: 'failed', detail: /has expired/, remedy: /rotate/ })
})
