/** The QR code, the short code and the token that pair a new kiosk (decision 226). */
import { useEffect, useState } from 'preact/hooks'
import type { PairingCodeAnswer, RegisteredDeviceAnswer } from '../../domain/contract/device.ts'
import { Fault } from '../design/parts.tsx'
import { Qr } from '../design/qr.tsx'
import { useClient } from './client-context.ts'
import { faultText } from './faults.ts'
import { useAction } from './use-action.ts'
import { useConsoleTexts } from './use-console-texts.ts'

export type Registered = (typeof RegisteredDeviceAnswer)['static']
type Code = (typeof PairingCodeAnswer)['static']

/** A code to type on the kiosk, and a button for the next one: each works once. */
function ShortCode({ device }: { device: Registered }) {
  const texts = useConsoleTexts()
  const client = useClient()
  const { state, run } = useAction()
  const [code, setCode] = useState<string | undefined>(undefined)
  const { deviceId, token } = device
  const path = `/tenant/devices/${deviceId}/pairingCode`
  const create = () =>
    run(
      () => client.ask<Code>('POST', path, { body: { token } }),
      (answer) => setCode(answer.code),
    )
  useEffect(() => void create(), [deviceId])
  return (
    <div class="stack tight">
      <h3>{texts.pairCode}</h3>
      <p role="status">
        {code === undefined ? null : <code class="pairing-code">{code}</code>}
        {state.kind === 'busy' ? <span class="hidden-visually">{texts.loading}</span> : null}
      </p>
      <p class="small">{texts.pairCodeText}</p>
      <Fault>{state.kind === 'failed' ? faultText(texts, state.fault) : null}</Fault>
      <button
        type="button"
        class="button"
        aria-disabled={state.kind === 'busy'}
        onClick={() => void create()}
      >
        {texts.pairCodeNew}
      </button>
    </div>
  )
}

/** Shown once: the service keeps only a hash of the token. */
export function Pairing({ device }: { device: Registered }) {
  const texts = useConsoleTexts()
  const url = `${window.location.origin}/kiosk#${device.token}`
  return (
    <section class="panel stack tight">
      <h2>{texts.pairHeading(device.name)}</h2>
      <p>{texts.pairText}</p>
      <div class="pairing">
        <Qr text={url} label={texts.pairQr(device.name)} />
        <ShortCode device={device} />
      </div>
      <details>
        <summary>{texts.pairToken}</summary>
        <code class="token">{device.token}</code>
      </details>
    </section>
  )
}
