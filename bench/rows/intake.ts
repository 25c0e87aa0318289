/** Row `intake`: reading the number and sizes of pages, as the check of an upload does. */
import { displayedSize, inspect } from '../../pades/index.ts'
import { LARGE, makePdf } from '../inputs.ts'
import { alternate, repeated } from '../measure.ts'
import { pdfJs } from '../peers/pdfjs.ts'
import type { RowReport } from '../report.ts'
import { sha256Pass } from '../signing.ts'

const REPEATS = 10

const pageSizes = (file: Uint8Array) => inspect(file).pages.map(displayedSize)
const asText = (sizes: readonly { width: number; height: number }[]) =>
  sizes.map(({ width, height }) => `${width}x${height}`).join(' ')

function fault(own: string, peer: string | undefined): string | undefined {
  const expected = Array.from({ length: LARGE.pages }, () => '595x842').join(' ')
  if (own !== expected) return 'the sizes are not those of the input'
  return peer === undefined || peer === expected ? undefined : 'the peer read other sizes'
}

export async function intake(): Promise<RowReport> {
  const file = makePdf(LARGE)
  const peer = await pdfJs()
  const invalid = fault(asText(pageSizes(file)), peer && asText(await peer.pageSizes(file)))
  const times: Record<string, number> = await alternate({
    floor: sha256Pass(file),
    ours: repeated(REPEATS, () => pageSizes(file)),
    ...(peer ? { [peer.name]: async () => void (await peer.pageSizes(file)) } : {}),
  })
  const { floor = 0, ours = 0 } = times
  return {
    measured: `${ours.toFixed(2)} ms`,
    figures: [
      { of: '× one SHA-256 pass', value: ours / floor, better: 'less', must: 0.5, aim: 0.3 },
      ...(peer
        ? [
            {
              of: `× faster than ${peer.name}`,
              value: (times[peer.name] ?? 0) / ours,
              better: 'more' as const,
              must: 10,
              aim: 20,
            },
          ]
        : []),
    ],
    ...(peer ? {} : { skipped: ['pdf.js'] }),
    ...(invalid === undefined ? {} : { void: invalid }),
  }
}
