/** Reports of rows, and their formatting as one line. */

/** One figure of a row with its required and its desired value. */
export interface Figure {
  /** Unit of the figure, such as `× one SHA-256 pass`. */
  of: string
  value: number
  /** Whether less or more is better. */
  better: 'less' | 'more'
  must: number
  aim?: number
  /** Reported, but not judged, such as milliseconds, which require an idle machine. */
  informative?: boolean
}

export interface RowReport {
  /** Raw measurements for the figures. */
  measured: string
  figures: readonly Figure[]
  /** Peers that are not installed; without figures, missing requirements of the row. */
  skipped?: readonly string[]
  /** Why the figures are not valid, for example because the timed work had a wrong result. */
  void?: string
}

function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}

function holds({ value, better, must }: Figure): boolean {
  return better === 'less' ? value <= must : value >= must
}

/** Whether all judged figures hold. */
export function passes(report: RowReport): boolean {
  if (report.void !== undefined) return false
  return report.figures.every((figure) => figure.informative || holds(figure))
}

function figureText(figure: Figure): string {
  const sign = figure.better === 'less' ? '≤' : '≥'
  const aim = figure.aim === undefined ? '' : `, aim ${sign} ${figure.aim}`
  const missed = figure.informative ? 'above (informative)' : 'FAIL'
  const word = holds(figure) ? 'PASS' : missed
  return `${digits(figure.value)} ${figure.of} (must ${sign} ${figure.must}${aim}) ${word}`
}

/** Formats the line of a row. */
export function lineOf(name: string, report: RowReport): string {
  const title = name.padEnd(11)
  if (report.figures.length === 0 && report.skipped) {
    return `${title} skipped: ${report.skipped.join(', ')}`
  }
  const parts = [
    report.measured,
    ...(report.void === undefined ? report.figures.map(figureText) : [`VOID: ${report.void}`]),
    ...(report.skipped ?? []).map((peer) => `${peer} skipped`),
  ]
  return `${title} ${parts.join(' · ')}`
}
