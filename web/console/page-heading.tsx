/** The heading of a page of the console, which also names the tab of the browser. */
import { useEffect } from 'preact/hooks'
import { StepHeading } from '../design/parts.tsx'
import { useTexts } from '../texts/use-texts.ts'
import { useConsoleTexts } from './use-console-texts.ts'

/** The heading takes the focus, and the title of the document begins with it. */
export function PageHeading({ text }: { text: string }) {
  const { consoleName } = useConsoleTexts()
  const { serviceName } = useTexts()
  useEffect(() => {
    document.title = [text, consoleName, serviceName].join(' – ')
  }, [text, consoleName, serviceName])
  return (
    <StepHeading>
      <bdi>{text}</bdi>
    </StepHeading>
  )
}
