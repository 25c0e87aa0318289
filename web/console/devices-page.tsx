/** The kiosks of the tenant: register, pair, demonstrate, remove. */
import { useRef, useState } from 'preact/hooks'
import type { PairedAnswer } from '../../domain/contract/device.ts'
import { Fault } from '../design/parts.tsx'
import { dayIn } from '../texts/times.ts'
import { useSpeech } from '../texts/use-texts.ts'
import { useClient } from './client-context.ts'
import { demonstrate } from './demo-case.ts'
import { faultText } from './faults.ts'
import { Field } from './field.tsx'
import { More } from './more.tsx'
import { PageHeading } from './page-heading.tsx'
import { Pairing, type Registered } from './pairing.tsx'
import { RemoveDeviceDialog } from './remove-device-dialog.tsx'
import { caseLink, go } from './routes.ts'
import { useAction } from './use-action.ts'
import { useConsoleTexts } from './use-console-texts.ts'
import { useDevices } from './use-devices.ts'
import { useFocusOnFault } from './use-focus-on-fault.ts'

/** Whether the kiosk listens; nothing where that is not known. */
function Connection({ connected }: Pick<PairedAnswer, 'connected'>) {
  const texts = useConsoleTexts()
  if (connected === undefined) return null
  return (
    <span class={connected ? 'badge good' : 'badge'}>
      {connected ? texts.deviceConnected : texts.deviceAway}
    </span>
  )
}

function Kiosk({ device, onRemoved }: { device: PairedAnswer; onRemoved(): Promise<void> }) {
  const texts = useConsoleTexts()
  const { language } = useSpeech()
  const client = useClient()
  const { state, run } = useAction()
  const { deviceId, name, created, connected } = device
  const isBusy = state.kind === 'busy'
  const demo = { deviceId, title: texts.demoTitle, language }
  const [isAsking, setAsking] = useState(false)
  return (
    <li class="stack tight">
      <div class="row">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <Connection connected={connected} />
      </div>
      <span class="quiet small">{texts.registeredOn(dayIn(language, created))}</span>
      <div class="row">
        <button
          type="button"
          class="button"
          aria-label={`${texts.demo}: ${name}`}
          aria-disabled={isBusy}
          onClick={() =>
            void run(
              () => demonstrate(client, demo),
              (id) => go(caseLink(id)),
            )
          }
        >
          {texts.demo}
        </button>
        <button
          type="button"
          class="button danger"
          aria-label={`${texts.deviceRemove}: ${name}`}
          aria-disabled={isBusy}
          onClick={() => setAsking(true)}
        >
          {texts.deviceRemove}
        </button>
      </div>
      <p role="status" class="small">
        {isBusy ? texts.loading : null}
        {state.kind === 'failed' ? faultText(texts, state.fault) : null}
      </p>
      {isAsking ? (
        <RemoveDeviceDialog
          deviceId={deviceId}
          name={name}
          onRemoved={onRemoved}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </li>
  )
}

function Register({ onRegistered }: { onRegistered(device: Registered): Promise<void> }) {
  const texts = useConsoleTexts()
  const client = useClient()
  const { state, run } = useAction()
  const [name, setName] = useState('')
  const form = useFocusOnFault(state)
  const register = async (device: Registered) => {
    // Another Enter would register it again.
    setName('')
    await onRegistered(device)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    const body = { name: name.trim() }
    void run(() => client.ask<Registered>('POST', '/tenant/devices', { body }), register)
  }
  const fault = state.kind === 'failed' ? state.fault : undefined
  const isInvalid = fault?.kind === 'refused' && fault.validationErrors !== undefined
  return (
    <form ref={form} class="panel stack tight" noValidate onSubmit={submit}>
      <h2>{texts.deviceNew}</h2>
      <Field
        label={texts.deviceName}
        value={name}
        fault={isInvalid ? texts.ruleRequired : undefined}
        onText={setName}
      />
      <Fault>{fault && !isInvalid ? faultText(texts, fault) : null}</Fault>
      <button type="submit" class="button primary" aria-disabled={state.kind === 'busy'}>
        {texts.deviceRegister}
      </button>
    </form>
  )
}

/** The page with the kiosks. */
export function DevicesPage() {
  const texts = useConsoleTexts()
  const list = useDevices()
  const { value, fault, refresh } = list
  const [registered, setRegistered] = useState<Registered | undefined>(undefined)
  const heading = useRef<HTMLHeadingElement>(null)
  const onRemoved = async (deviceId: string) => {
    // Its codes do not work any more.
    if (registered?.deviceId === deviceId) setRegistered(undefined)
    await refresh()
    heading.current?.focus()
  }
  const onRegistered = async (device: Registered) => {
    setRegistered(device)
    await refresh()
  }
  return (
    <div class="stack">
      <PageHeading text={texts.pageDevices} />
      <Fault>{fault ? faultText(texts, fault) : null}</Fault>
      <div class="columns">
        <div class="stack">
          <Register onRegistered={onRegistered} />
          {registered ? <Pairing key={registered.deviceId} device={registered} /> : null}
        </div>
        <section class="panel stack tight">
          <h2 ref={heading} tabIndex={-1}>
            {texts.devices}
          </h2>
          <p role="status">{value?.items.length === 0 ? texts.devicesNone : null}</p>
          <ul class="plain-list">
            {(value?.items ?? []).map((device) => (
              <Kiosk
                key={device.deviceId}
                device={device}
                onRemoved={() => onRemoved(device.deviceId)}
              />
            ))}
          </ul>
          <More list={list} cut={texts.devicesCut} />
        </section>
      </div>
    </div>
  )
}
