/** From the choice of a file to what is said of it. */
import { Sign, StepHeading, TopBar } from '../design/parts.tsx'
import { useTexts } from '../texts/use-texts.ts'
import type { FaultKind } from './ask.ts'
import { Choose } from './choose.tsx'
import { FAULT_WORDS } from './faults.ts'
import { Result } from './result.tsx'
import { useVerification } from './use-verification.ts'
import { printable } from './verdict.ts'

const PERCENT = 100

function Working({ part, name, onCancel }: { part: number; name: string; onCancel(): void }) {
  const texts = useTexts()
  const isUploaded = part >= 1
  const percent = Math.round(part * PERCENT)
  return (
    <div class="card stack working">
      <StepHeading>{isUploaded ? texts.verifyChecking : texts.verifyUploading}</StepHeading>
      <p class="file-name quiet">
        <bdi>{name}</bdi>
      </p>
      <progress
        aria-label={texts.verifyProgress}
        max={PERCENT}
        {...(isUploaded ? {} : { value: percent })}
      />
      <p role="status" class="quiet small">
        {isUploaded ? texts.verifyCheckingText : texts.verifyUploadedPart(percent)}
      </p>
      <div class="row">
        <button type="button" class="button" onClick={onCancel}>
          {texts.cancel}
        </button>
      </div>
    </div>
  )
}

interface FailedProps {
  fault: FaultKind
  name: string
  onRetry(): void
  onReset(): void
}

function Failed({ fault, name, onRetry, onReset }: FailedProps) {
  const texts = useTexts()
  const { heading, text, mayRetry } = FAULT_WORDS[fault]
  return (
    <div class="card stack">
      <div class="mark">
        <Sign name={mayRetry ? 'clock' : 'stop'} />
      </div>
      <StepHeading>{String(texts[heading])}</StepHeading>
      <p>{String(texts[text])}</p>
      <p class="file-name quiet small">
        <bdi>{name}</bdi>
      </p>
      <div class="row">
        {mayRetry ? (
          <button type="button" class="button primary" onClick={onRetry}>
            {texts.tryAgain}
          </button>
        ) : null}
        <button
          type="button"
          class={mayRetry ? 'button plain' : 'button primary'}
          onClick={onReset}
        >
          {texts.verifyAnother}
        </button>
      </div>
    </div>
  )
}

function Shown() {
  const { step, begin, reset } = useVerification()
  if (step.kind === 'choosing') return <Choose onFile={begin} />
  const name = printable(step.file.name)
  if (step.kind === 'working') return <Working part={step.part} name={name} onCancel={reset} />
  if (step.kind === 'done') {
    return <Result report={step.report} file={step.file} name={name} onReset={reset} />
  }
  const onRetry = () => begin(step.file)
  return <Failed fault={step.fault} name={name} onRetry={onRetry} onReset={reset} />
}

/** One file at a time: the next is chosen when the one before is done or given up. */
export function App() {
  return (
    <div class="stage">
      <TopBar />
      <main class="verify">
        <Shown />
      </main>
    </div>
  )
}
