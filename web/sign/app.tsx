/** The signing page: one step after the other, as the API says. */
import { useEffect, useState } from 'preact/hooks'
import type { CaseDefinitionAnswer } from '../../domain/contract/participant-answers.ts'
import { Stage } from '../design/parts.tsx'
import { BrandContext, useBranding } from '../lib/brand.ts'
import type { ParticipantLink } from '../lib/client.ts'
import type { Keep } from '../lib/keep.ts'
import { useSpeech, useTexts } from '../texts/use-texts.ts'
import { CodeStep } from './code-step.tsx'
import { DocumentView } from './document-view.tsx'
import { DonePage } from './done-page.tsx'
import { PinStep } from './pin-step.tsx'
import { ProblemPage, problemHeading } from './problem-page.tsx'
import { DRAFT } from './use-draft.ts'
import { useVisit, type Visit } from './use-visit.ts'
import type { View } from './view.ts'
import { Waiting } from './waiting.tsx'

interface AppProps {
  link: ParticipantLink
  keep: Keep
  /** Takes the place of the page that comes after the signature. */
  onSigned?: (signed: { isMailed: boolean }) => void
  /** Called with each view that the page shows. */
  onView?: (view: View) => void
}

/**
 * Suggests the participant's language. Refusals name none, but the look of the case has it: it is
 * also there when the case has ended or the PIN is locked.
 */
function useLanguage(language: CaseDefinitionAnswer['language'] | undefined): void {
  const { suggest } = useSpeech()
  useEffect(() => {
    if (language) suggest(language)
  }, [language])
}

/** Names the page by the case or by the problem. */
function useTitle(view: View): void {
  const texts = useTexts()
  const definition = 'definition' in view ? view.definition : undefined
  const title =
    view.kind === 'problem' ? problemHeading(texts, view.problem) : definition?.case.title
  useEffect(() => {
    document.title = [title, texts.serviceName].filter(Boolean).join(' – ')
  }, [title, texts])
}

/**
 * @param props `onSigned`: called once the case is signed by this participant, also when it was
 * before; `isMailed`: whether the participant gets the signed document by mail
 */
export function SigningApp(props: AppProps) {
  const visit = useVisit(props.link, props.keep)
  const branding = useBranding(visit.client)
  const { view } = visit
  useLanguage(('definition' in view ? view.definition : undefined)?.language ?? branding?.language)
  return (
    <BrandContext.Provider value={branding}>
      <Step {...props} visit={visit} />
    </BrandContext.Provider>
  )
}

const outcomeOf = ({ participant }: CaseDefinitionAnswer) => ({ isMailed: participant.notify })

/** What the visit shows now. */
function Step({ keep, onSigned, onView, visit }: AppProps & { visit: Visit }) {
  const { view, client, refresh, show, signed, prove } = visit
  // Whether a document was open before, in this visit: then the code is asked for again.
  const [wasOpen, setOpen] = useState(false)
  useEffect(() => onView?.(view), [view])
  useEffect(() => {
    if (view.kind === 'document') setOpen(true)
    if (view.kind !== 'done') return
    keep.remove(DRAFT)
    onSigned?.(outcomeOf(view.definition))
  }, [view.kind])
  useTitle(view)

  switch (view.kind) {
    case 'loading':
      return (
        <Stage>
          <Waiting onRetry={() => void refresh({ isShown: true })} />
        </Stage>
      )
    case 'problem':
      return <ProblemPage problem={view.problem} onRetry={() => void refresh({ isShown: true })} />
    case 'code':
      return (
        <CodeStep
          definition={view.definition}
          client={client}
          isAgain={wasOpen}
          onSession={(otpSession) => prove({ otpSession })}
          onChange={show}
        />
      )
    case 'pin':
      return <PinStep refusal={view.refusal} onPin={(pin) => prove({ pin })} />
    case 'document':
      return (
        <DocumentView
          definition={view.definition}
          client={client}
          keep={keep}
          onChange={show}
          onSigned={() =>
            onSigned ? onSigned(outcomeOf(view.definition)) : signed(view.definition)
          }
        />
      )
    case 'done':
      return (
        <DonePage
          definition={view.definition}
          client={client}
          onRefresh={() => refresh()}
          onCode={() => show({ kind: 'code', definition: view.definition })}
        />
      )
  }
}
