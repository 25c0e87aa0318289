/** The webhooks of docs/how-to/receive-webhooks.md, genuine and forged, for every verifier. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const PAGE = join(import.meta.dirname, '../../docs/how-to/receive-webhooks.md')

interface Vector {
  secret: string
  t: number
  body: string
  'Service-Signature': string
}

export interface Question {
  name: string
  isGenuine: boolean
  secret: string
  header: string
  body: string
  nowSeconds: number
}

function vectors(): Vector[] {
  const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/^```json\n(.*?)^```$/gms)]
  return JSON.parse(`${blocks.at(-1)?.[1]}`) as Vector[]
}

/** Each vector as it was sent, and changed in every way that a verifier has to notice. */
export const QUESTIONS: readonly Question[] = vectors().flatMap((vector) => {
  const { secret, t: at, body, 'Service-Signature': header } = vector
  const sent = { secret, header, body, nowSeconds: at }
  const genuine = [
    { ...sent, name: 'as it was sent' },
    { ...sent, name: 'at the end of the tolerance', nowSeconds: at + 300 },
    { ...sent, name: 'with a further member', header: `${header},v2=00` },
  ]
  const forged = [
    { ...sent, name: 'too old', nowSeconds: at + 301 },
    { ...sent, name: 'from the future', nowSeconds: at - 301 },
    { ...sent, name: 'another secret', secret: `${secret}x` },
    { ...sent, name: 'no secret', secret: '' },
    { ...sent, name: 'another body', body: `${body} ` },
    { ...sent, name: 'another time', header: header.replace(String(at), String(at + 1)) },
    { ...sent, name: 'no header', header: '' },
    { ...sent, name: 'half a signature', header: header.slice(0, -32) },
    { ...sent, name: 'something before', header: `x${header}` },
  ]
  return [
    ...genuine.map((question) => ({ ...question, isGenuine: true })),
    ...forged.map((question) => ({ ...question, isGenuine: false })),
  ]
})
