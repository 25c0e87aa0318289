/** What else a participant can do with the document, and the dialogs for it. */
import { useState } from 'preact/hooks'
import type { CaseDefinitionAnswer } from '../../domain/contract/participant-answers.ts'
import { Dialog, Fault, Sign } from '../design/parts.tsx'
import type { ParticipantClient } from '../lib/client.ts'
import type { Keep } from '../lib/keep.ts'
import { isFramed } from '../lib/frame.ts'
import { useTexts } from '../texts/use-texts.ts'
import { DeclineDialog } from './decline-dialog.tsx'
import type { OpenPdf } from './pdf.ts'
import { hasPhoneLink, PhoneDialog } from './phone-dialog.tsx'
import { SafetyText } from './safety-text.tsx'
import { downloadDocument, MAXIMUM_PRINTED_PAGES, printDocument } from './export-document.ts'
import type { View } from './view.ts'

interface MoreProps {
  pdf: OpenPdf
  definition: CaseDefinitionAnswer
  client: ParticipantClient
  keep: Keep
  onSearch(): void
  onChange(view: View): void
  onClose(): void
}

type Panel = 'menu' | 'phone' | 'decline' | 'safety'

/** Runs one download or print at a time, and reports a failure. */
function useExport(onClose: () => void) {
  const [isBusy, setBusy] = useState(false)
  const [isFaulty, setFaulty] = useState(false)
  const runExport = async (run: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    setFaulty(false)
    try {
      await run()
      onClose()
    } catch {
      setFaulty(true)
      setBusy(false)
    }
  }
  return { isBusy, isFaulty, runExport }
}

type MenuProps = MoreProps & { onPanel(panel: Panel): void }

function Menu({ pdf, definition, onSearch, onPanel, onClose }: MenuProps) {
  const texts = useTexts()
  const { isBusy, isFaulty, runExport } = useExport(onClose)
  const { title } = definition.case
  // The frame of the component may not print.
  const isPrintable = pdf.pageCount <= MAXIMUM_PRINTED_PAGES && !isFramed()
  const item = (
    sign: 'search' | 'save' | 'print' | 'phone' | 'shield' | 'stop',
    text: string,
    act: () => void,
  ) => (
    <button type="button" class="button menu-item" aria-disabled={isBusy} onClick={act}>
      <Sign name={sign} />
      {text}
    </button>
  )
  return (
    <Dialog heading={texts.more} onClose={onClose}>
      {item('search', texts.search, onSearch)}
      {item(
        'save',
        texts.documentDownload,
        () => void runExport(() => downloadDocument(pdf, title)),
      )}
      {isPrintable
        ? item('print', texts.documentPrint, () => void runExport(() => printDocument(pdf)))
        : null}
      {hasPhoneLink() ? item('phone', texts.phone, () => onPanel('phone')) : null}
      {item('shield', texts.safety, () => onPanel('safety'))}
      {item('stop', texts.decline, () => onPanel('decline'))}
      <div role="status">{isBusy ? <p class="quiet">{texts.documentPreparing}</p> : null}</div>
      <Fault>{isFaulty ? texts.documentPreparingFailed : null}</Fault>
    </Dialog>
  )
}

/** The menu, or what was chosen in it. */
export function MoreDialog(props: MoreProps) {
  const { definition, client, keep, onChange, onClose } = props
  const texts = useTexts()
  const [panel, setPanel] = useState<Panel>('menu')
  switch (panel) {
    case 'menu':
      return <Menu {...props} onPanel={setPanel} />
    case 'phone':
      return <PhoneDialog onClose={onClose} />
    case 'decline':
      return (
        <DeclineDialog
          definition={definition}
          client={client}
          keep={keep}
          onChange={onChange}
          onClose={onClose}
        />
      )
    case 'safety':
      return (
        <Dialog heading={texts.safety} onClose={onClose}>
          <SafetyText definition={definition} />
        </Dialog>
      )
  }
}
