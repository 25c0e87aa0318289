/** `POST /api/webhooks/sigcase`: receives the webhooks of the service. */
import { readWebhook, SigcaseError, type WebhookEvent } from '@sigcase/client'
import { applyWebhook, readSetting } from '../../../../lib/sigcase.ts'

/** Verifies a webhook and applies it. Any other answer than 2xx makes the service retry or give up. */
export async function POST(request: Request): Promise<Response> {
  let event: WebhookEvent
  try {
    event = await readWebhook(request, readSetting('SIGCASE_WEBHOOK_SECRET'))
  } catch (error) {
    if (error instanceof SigcaseError) return new Response(null, { status: 401 })
    throw error
  }
  await applyWebhook(event)
  return new Response(null, { status: 204 })
}
