/** Counts and charts of the last weeks, over the cases that the console reads anyway. */
import { useMemo } from 'preact/hooks'
import { Fault } from '../design/parts.tsx'
import type { Language } from '../texts/plural.ts'
import { dayIn, numberIn, shortDayIn, spanIn } from '../texts/times.ts'
import { useSpeech } from '../texts/use-texts.ts'
import { Chart, type Bar } from './chart.tsx'
import { faultText } from './faults.ts'
import { PageHeading } from './page-heading.tsx'
import { statisticsOf, WEEK_COUNT, type Counts, type Week } from './statistics.ts'
import { useCases } from './use-cases.ts'
import { useConsoleTexts } from './use-console-texts.ts'
import { useUndelivered } from './use-undelivered.ts'

/** A count of weeks does not need the newest second. */
const POLL_MS = 60_000
const MEASURES = ['sent', 'signed', 'medianMs', 'rejected', 'undelivered'] as const
type Measure = (typeof MEASURES)[number]
const BAD = new Set<Measure>(['rejected', 'undelivered'])

/** @returns undefined when there is no value */
function textOf(
  language: Language,
  measure: Measure,
  counts: Counts,
  width: 'long' | 'narrow',
): string | undefined {
  const value = counts[measure]
  if (value === undefined) return undefined
  return measure === 'medianMs' ? spanIn(language, value, width) : numberIn(language, value)
}

interface MeasureProps {
  measure: Measure
  weeks: readonly Week[]
  total: Counts
}

function MeasureChart({ measure, weeks, total }: MeasureProps) {
  const texts = useConsoleTexts()
  const { language } = useSpeech()
  const bars = weeks.map((week): Bar => {
    const name = dayIn(language, week.start.toISOString())
    const text = textOf(language, measure, week, 'long') ?? texts.statisticsNone
    return {
      name: shortDayIn(language, week.start),
      value: week[measure] ?? 0,
      short: textOf(language, measure, week, 'narrow') ?? '',
      row: { name, text },
    }
  })
  const heading = texts.measures[measure]
  return (
    <Chart
      heading={heading}
      note={texts.measureTexts[measure]}
      total={textOf(language, measure, total, 'long') ?? '–'}
      columns={[texts.statisticsWeek, heading]}
      bars={bars}
      isBad={BAD.has(measure)}
    />
  )
}

/** The page with the charts. */
export function StatisticsPage() {
  const texts = useConsoleTexts()
  const { value: listed, fault: casesFault } = useCases(POLL_MS)
  const { value: events, fault: eventsFault } = useUndelivered(POLL_MS)
  const statistics = useMemo(
    () => listed && events && statisticsOf(listed.cases, events.items, new Date()),
    [listed, events],
  )
  const fault = casesFault ?? eventsFault
  return (
    <div class="stack">
      <PageHeading text={texts.pageStatistics} />
      <Fault>{fault ? faultText(texts, fault) : null}</Fault>
      <p>{texts.statisticsWeeks(WEEK_COUNT)}</p>
      <p role="status" class="quiet small">
        {listed && events ? texts.statisticsOver(listed.cases.length) : texts.loading}
        {listed?.isCut ? ` ${texts.statisticsCut}` : ''}
        {events?.isCut ? ` ${texts.statisticsWebhooksCut(events.items.length)}` : ''}
      </p>
      {statistics ? (
        <div class="charts">
          {MEASURES.map((measure) => (
            <MeasureChart key={measure} measure={measure} {...statistics} />
          ))}
        </div>
      ) : null}
    </div>
  )
}
