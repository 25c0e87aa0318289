/** Asks before a kiosk is removed. */
import { Dialog, Fault } from '../design/parts.tsx'
import { useClient } from './client-context.ts'
import { faultText } from './faults.ts'
import { useAction } from './use-action.ts'
import { useConsoleTexts } from './use-console-texts.ts'

interface RemoveDeviceProps {
  deviceId: string
  name: string
  /** Called when the kiosk is removed and the dialog is closed. */
  onRemoved(): Promise<void>
  onClose(): void
}

/** The question; the tablet at the desk shows nothing any more after the removal. */
export function RemoveDeviceDialog({ deviceId, name, onRemoved, onClose }: RemoveDeviceProps) {
  const texts = useConsoleTexts()
  const client = useClient()
  const { state, run } = useAction()
  const remove = () =>
    run(
      () => client.ask('DELETE', `/tenant/devices/${deviceId}`),
      async () => {
        onClose()
        await onRemoved()
      },
    )
  return (
    <Dialog heading={texts.deviceRemoveHeading(name)} onClose={onClose}>
      <p>{texts.deviceRemoveText}</p>
      <Fault>{state.kind === 'failed' ? faultText(texts, state.fault) : null}</Fault>
      <div class="row">
        <button
          type="button"
          class="button danger"
          aria-disabled={state.kind === 'busy'}
          onClick={() => void remove()}
        >
          {texts.deviceRemove}
        </button>
        <button type="button" class="button plain" onClick={onClose}>
          {texts.deviceKeep}
        </button>
      </div>
    </Dialog>
  )
}
