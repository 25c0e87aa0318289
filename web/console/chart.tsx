/** Bars of one measure by week, with the same numbers as a table for screen readers. */

/** Pixels of the picture from top to bottom: numbers, bars, names of the weeks. */
const BARS_TOP = 18
const BARS_HEIGHT = 106
const BASE = BARS_TOP + BARS_HEIGHT
const NUMBER_GAP = 5
const NAME_Y = BASE + 18
/** A small number is still visible. */
const SMALLEST_HEIGHT = 2
/** The name of a week is wider than its bar. */
const NAMED_EACH = 2
/** Share of a week's width that its bar has. */
const BAR_SHARE = 0.62

export interface Bar {
  /** The week, for eyes. */
  name: string
  value: number
  /** The value where space is short; empty when there is nothing to show. */
  short: string
  /** The week and the value, for the table. */
  row: { name: string; text: string }
}

interface ChartProps {
  heading: string
  /** What is counted. */
  note: string
  /** The value of all weeks together. */
  total: string
  /** Headings of the table. */
  columns: readonly [string, string]
  bars: readonly Bar[]
  isBad: boolean
}

const percent = (share: number) => `${(share * 100).toFixed(2)}%`

function Bars({ bars }: { bars: readonly Bar[] }) {
  const largest = Math.max(...bars.map(({ value }) => value))
  const slot = 1 / bars.length
  return (
    <svg aria-hidden="true">
      {bars.map(({ name, value, short }, index) => {
        const height = value === 0 ? 0 : Math.max(SMALLEST_HEIGHT, (value / largest) * BARS_HEIGHT)
        const middle = percent((index + 0.5) * slot)
        const isNamed = (bars.length - 1 - index) % NAMED_EACH === 0
        return (
          <g key={name}>
            <rect
              x={percent((index + (1 - BAR_SHARE) / 2) * slot)}
              y={BASE - height}
              width={percent(BAR_SHARE * slot)}
              height={height}
            />
            <text x={middle} y={BASE - height - NUMBER_GAP}>
              {short}
            </text>
            {isNamed ? (
              <text class="week" x={middle} y={NAME_Y}>
                {name}
              </text>
            ) : null}
          </g>
        )
      })}
      <line x1="0" x2="100%" y1={BASE} y2={BASE} />
    </svg>
  )
}

/** A panel with heading, total and bars; the picture is hidden from screen readers. */
export function Chart({ heading, note, total, columns, bars, isBad }: ChartProps) {
  return (
    <section class={`panel stack tight chart ${isBad ? 'bad' : ''}`}>
      <h2>
        {heading} <span>{total}</span>
      </h2>
      <p class="quiet small">{note}</p>
      <Bars bars={bars} />
      <div class="hidden-visually">
        <table>
          <caption>{heading}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th scope="col">{column}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ row }) => (
              <tr key={row.name}>
                <th scope="row">{row.name}</th>
                <td>{row.text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
