/** `POST /api/contracts`: takes a form with a PDF and a person, and requests a signature. */
import { SigcaseError } from '@sigcase/client'
import { contracts, openClient, readSetting } from '../../../lib/sigcase.ts'

const VALID_MS = 14 * 24 * 60 * 60 * 1000

/** Creates a case for the contract. A repeated form creates no second case. */
export async function POST(request: Request): Promise<Response> {
  const form = await request.formData()
  const pdf = form.get('pdf')
  if (!(pdf instanceof Blob)) return Response.json({ message: 'no PDF' }, { status: 400 })
  const text = (name: string) => String(form.get(name) ?? '')
  const contractId = text('contractId')
  const client = openClient()
  try {
    const created = await client.createCase(
      {
        title: text('title'),
        // The same for a repeated form: the body belongs to the key.
        validUntil: new Date(Date.parse(text('offeredAt')) + VALID_MS).toISOString(),
        participants: [
          { firstName: text('firstName'), lastName: text('lastName'), email: text('email') },
        ],
        callback: {
          url: `${readSetting('PUBLIC_URL')}/api/webhooks/sigcase`,
          authType: 'NONE',
          signingSecret: readSetting('SIGCASE_WEBHOOK_SECRET'),
          data: { contractId },
        },
      },
      { idempotencyKey: contractId },
    )
    await client.uploadDocument(created, pdf)
    const { id: caseId, status } = created.case
    contracts.set(contractId, { caseId, status })
    return Response.json({ caseId }, { status: 201 })
  } catch (error) {
    if (!(error instanceof SigcaseError)) throw error
    const { code, data } = error
    const status = code === 'VALIDATION_FAILED' ? 400 : 502
    return Response.json({ code, errors: data['validationErrors'] }, { status })
  }
}
