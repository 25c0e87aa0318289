/** What else a new case has: deadline, second factor, kiosk, sender. */
import type { Draft } from './draft.ts'
import { Choice, Field } from './field.tsx'
import { useConsoleTexts } from './use-console-texts.ts'
import { useDevices } from './use-devices.ts'

interface OptionsProps {
  draft: Draft
  faults: Readonly<Record<string, string>>
  onChange(changes: Partial<Draft>): void
}

function Kiosk({ draft, faults, onChange }: OptionsProps) {
  const texts = useConsoleTexts()
  const { value } = useDevices()
  return (
    <Choice
      label={texts.kiosk}
      value={draft.deviceId}
      fault={faults['/device/deviceId']}
      onText={(deviceId) => onChange({ deviceId })}
    >
      <option value="">{texts.kioskLater}</option>
      {(value?.items ?? []).map(({ deviceId, name }) => (
        <option value={deviceId}>{name}</option>
      ))}
    </Choice>
  )
}

/** The section with the options. */
export function OptionsForm({ draft, faults, onChange }: OptionsProps) {
  const texts = useConsoleTexts()
  return (
    <section class="panel stack tight">
      <h2>{texts.options}</h2>
      <Field
        label={texts.deadline}
        type="datetime-local"
        value={draft.validUntil}
        fault={faults['/validUntil']}
        onText={(validUntil) => onChange({ validUntil })}
      />
      <Choice
        label={texts.secondFactor}
        value={draft.multiFactorType}
        fault={faults['/multiFactorType']}
        onText={(value) => onChange({ multiFactorType: value as Draft['multiFactorType'] })}
      >
        <option value="">{texts.secondFactorNone}</option>
        <option value="EMAIL">{texts.secondFactorEmail}</option>
        <option value="SMS">{texts.secondFactorSms}</option>
      </Choice>
      <label class="check">
        <input
          type="checkbox"
          checked={draft.inPerson}
          onChange={(event) => onChange({ inPerson: event.currentTarget.checked })}
        />
        {texts.inPerson}
      </label>
      {draft.inPerson ? <Kiosk draft={draft} faults={faults} onChange={onChange} /> : null}
      <Field
        label={texts.senderName}
        value={draft.senderName}
        fault={faults['/sender/name']}
        autocomplete="organization"
        onText={(senderName) => onChange({ senderName })}
      />
      <Field
        label={texts.replyTo}
        type="email"
        value={draft.replyTo}
        fault={faults['/sender/replyTo']}
        autocomplete="email"
        onText={(replyTo) => onChange({ replyTo })}
      />
    </section>
  )
}
