/** Hands a case to a kiosk for one person. */
import { useState } from 'preact/hooks'
import { useClient } from './client-context.ts'
import { openOnKiosk } from './demo-case.ts'
import { faultText } from './faults.ts'
import { Choice } from './field.tsx'
import { useAction } from './use-action.ts'
import { useConsoleTexts } from './use-console-texts.ts'
import { useDevices } from './use-devices.ts'

/** The choice of the kiosk, and the button. */
export function HandOver({ caseId, participantId }: { caseId: string; participantId: string }) {
  const texts = useConsoleTexts()
  const client = useClient()
  const { value } = useDevices()
  const { state, run } = useAction()
  const [chosen, setChosen] = useState('')
  const device = value?.items.find((item) => item.deviceId === chosen) ?? value?.items[0]
  if (value === undefined) return null
  if (device === undefined) return <p class="small quiet">{texts.devicesNone}</p>
  const { deviceId } = device
  const sent = device.connected === false ? texts.handedOverLater : texts.handedOver
  return (
    <div class="stack tight">
      <Choice label={texts.kiosk} value={deviceId} onText={setChosen}>
        {value.items.map((item) => (
          <option value={item.deviceId}>
            {item.connected === false ? texts.kioskAway(item.name) : item.name}
          </option>
        ))}
      </Choice>
      <button
        type="button"
        class="button"
        onClick={() => void run(() => openOnKiosk(client, { caseId, participantId, deviceId }))}
      >
        {texts.handOver}
      </button>
      <p role="status" class="small">
        {state.kind === 'done' ? sent : null}
        {state.kind === 'failed' ? faultText(texts, state.fault) : null}
      </p>
    </div>
  )
}
