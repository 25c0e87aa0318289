/** Rules for the HTML of mails, by what Outlook, Gmail and Apple Mail draw. */

interface Tag {
  name: string
  attributes: Readonly<Record<string, string>>
}

/** Gmail cuts a longer part and hides the rest behind a link. */
const MAXIMUM_OCTETS = 102 * 1024
const VOID = new Set(['meta', 'br', 'hr', 'img', '!doctype'])
const TAG = /<(\/?)([!a-z][\w:]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*>/gi
const ATTRIBUTE = /([\w:-]+)(?:="([^"]*)")?/g
/** What the engine of Word does not draw, or web mail takes out. */
const PROPERTIES =
  'position|float|flex|grid|gap|transform|box-shadow|background-image|background|font'
const NOT_DRAWN = new RegExp(
  `(?:^|;)(?:${PROPERTIES}):|:flex|url\\(|rgba?\\(|var\\(|calc\\(|\\d(?:rem|em|vw|vh)\\b`,
)
const LENGTH = /(?:padding|margin|line-height|font-size)[\w-]*:([^;]+)/g

function tagsOf(html: string, faults: string[]): Tag[] {
  const open: string[] = []
  const tags: Tag[] = []
  for (const [, slash, spelled = '', rest = ''] of html.matchAll(TAG)) {
    const name = spelled.toLowerCase()
    if (slash) {
      if (open.pop() !== name) faults.push(`</${name}> closes another element`)
      continue
    }
    const attributes = Object.fromEntries(
      Array.from(rest.matchAll(ATTRIBUTE), ([, key, value]) => [key, value ?? '']),
    )
    tags.push({ name, attributes })
    if (!VOID.has(name)) open.push(name)
  }
  if (open.length > 0) faults.push(`not closed: ${open.join()}`)
  return tags
}

function styleFaults({ name, attributes: { style = '' } }: Tag): string[] {
  const faults = NOT_DRAWN.test(style) ? [`${name}: ${style} has what is not drawn everywhere`] : []
  for (const [whole, value = ''] of style.matchAll(LENGTH)) {
    const isPixels = value.split(' ').every((part) => /^(?:0|\d+px)$/.test(part))
    if (!isPixels) faults.push(`${name}: ${whole} is not in pixels`)
  }
  if (/max-width/.test(style) && !/width:100%/.test(style)) faults.push('max-width without width')
  const mayPad = ['td', 'a', 'body'].includes(name)
  if (/(?:^|;)padding:/.test(style) && !mayPad) faults.push(`${name}: padding that Outlook drops`)
  return faults
}

function tableFaults({ attributes }: Tag): string[] {
  const expected = { role: 'presentation', border: '0', cellpadding: '0', cellspacing: '0' }
  const faults = Object.entries(expected).flatMap(([key, value]) =>
    attributes[key] === value ? [] : [`table: ${key} is not ${value}`],
  )
  const isCapped = attributes['style']?.includes('max-width') ?? false
  if (isCapped && !/^\d+$/.test(attributes['width'] ?? '')) {
    faults.push('table: Outlook needs the width as an attribute')
  }
  return faults
}

/** A button of a link in a cell; the cell has the colour and, for Outlook, the padding. */
function buttonFaults(cell: Tag | undefined, { attributes }: Tag): string[] {
  const { bgcolor, style = '' } = cell?.name === 'td' ? cell.attributes : {}
  const faults: string[] = []
  if (!bgcolor || !style.includes(`background-color:${bgcolor}`)) {
    faults.push('a: its cell has no colour')
  }
  const padding = /padding:(\d+px) (\d+px)/.exec(attributes['style'] ?? '')
  const [, vertical, horizontal] = padding ?? []
  const sides = `${vertical} ${horizontal}`
  const forOutlook = `mso-padding-alt:${sides} ${sides}`
  if (!style.includes(forOutlook)) faults.push('a: its cell has no padding for Outlook')
  if (!/(?:^|;)color:#/.test(attributes['style'] ?? '')) faults.push('a: its text has no colour')
  return faults
}

/** Text directly in a cell needs a font there: Word inherits none. */
const cellsWithoutFont = (html: string): string[] =>
  Array.from(html.matchAll(/<td([^>]*)>([^<]+)/g)).flatMap(([, attributes = '', text = '']) =>
    text.trim() === '' || text === '&nbsp;' || attributes.includes('font-family:')
      ? []
      : [`td: ${text.slice(0, 30)} has no font`],
  )

/** Unless its cell breaks it, a long name makes the whole mail wider than a phone. */
const cellsThatDoNotWrap = (html: string): string[] =>
  Array.from(html.matchAll(/<td style="([^"]*)">(?:<h1[^>]*>)?([^<]+)/g)).flatMap(
    ([, style = '', text = '']) =>
      text === '&nbsp;' || style.includes('overflow-wrap:anywhere') || /^\d{6}$/.test(text)
        ? []
        : [`td: ${text.slice(0, 30)} is not broken`],
  )

/** What some mail program would not show as meant. */
export function lintMail(html: string): string[] {
  const faults: string[] = []
  const tags = tagsOf(html.replace(/<!--[^]*?-->/g, ''), faults)
  const names = new Set(tags.map(({ name }) => name))
  for (const name of ['div', 'img', 'script', 'link', 'form', 'iframe', 'svg', 'button']) {
    if (names.has(name)) faults.push(`<${name}>`)
  }
  if (Buffer.byteLength(html) > MAXIMUM_OCTETS) faults.push('Gmail cuts it')
  if (!/<html lang="[a-z]{2}"/.test(html)) faults.push('no language')
  if (!/<title>[^<]+<\/title>/.test(html)) faults.push('no title')
  for (const [index, tag] of tags.entries()) {
    faults.push(...styleFaults(tag))
    if (tag.name === 'table') faults.push(...tableFaults(tag))
    if (tag.name === 'a') faults.push(...buttonFaults(tags[index - 1], tag))
  }
  return [...faults, ...cellsWithoutFont(html), ...cellsThatDoNotWrap(html)]
}
