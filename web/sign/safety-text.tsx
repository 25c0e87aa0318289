/** Helps people who do not expect to be asked for a signature to judge the request. */
import type { CaseDefinitionAnswer } from '../../domain/contract/participant-answers.ts'
import { useTexts } from '../texts/use-texts.ts'

/** Who asks, at which address this page is, and what it never asks for. */
export function SafetyText({ definition }: { definition: CaseDefinitionAnswer }) {
  const texts = useTexts()
  const { sender } = definition
  return (
    <ul class="plain-list">
      <li>{sender ? texts.safetySender(sender.name) : texts.safetyAnySender}</li>
      <li>{texts.safetyHost(window.location.host)}</li>
      <li>{texts.safetyNothing}</li>
      <li>{texts.safetyOpening}</li>
    </ul>
  )
}

/** The same, folded up below a step. */
export function SafetyHelp({ definition }: { definition: CaseDefinitionAnswer }) {
  const texts = useTexts()
  return (
    <details>
      <summary>{texts.safety}</summary>
      <SafetyText definition={definition} />
    </details>
  )
}
