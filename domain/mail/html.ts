/** The HTML part of a mail: one column with one button, also for Outlook and dark screens. */
import type { Language } from '../cases/definition.ts'
import { escapeHtml } from './safe-text.ts'

/** Content of a mail, in order; every text is one line. */
export interface MailBody {
  heading: string
  paragraphs: readonly string[]
  /** A code to type elsewhere, with notes about it. */
  code?: { value: string; notes: readonly string[] }
  /** The single action of the mail, with notes about its link. */
  action?: { label: string; url: string; notes: readonly string[] }
  /** Background of the button as `#rrggbb`, on which white text is readable. */
  buttonColour?: string | undefined
  /** Below the line: why the recipient gets the mail, and where replies go. */
  footer: readonly string[]
}

/** Outlook draws with the engine of Word, which inherits no font into cells. */
const FONT = 'font-family:Segoe UI,Roboto,Helvetica Neue,Arial,sans-serif;'
const WRAP = 'overflow-wrap:anywhere;word-break:break-word'
const COLUMN_WIDTH_PX = 560
/** The colour of the service's own buttons. */
const BUTTON_COLOUR = '#1b5e85'

/**
 * Sets no text or background colours, so that those of the mail client apply; only the button has
 * its own. Distances are paddings of cells, because Outlook drops other paddings and many margins.
 */
const STYLE = {
  body: 'margin:0;padding:0',
  column: `width:100%;max-width:${COLUMN_WIDTH_PX}px`,
  heading: `padding:24px 16px 20px;${FONT}font-size:22px;line-height:29px;${WRAP}`,
  headingText: `margin:0;font-size:22px;line-height:29px;font-weight:700`,
  paragraph: `padding:0 16px 16px;${FONT}font-size:16px;line-height:24px;${WRAP}`,
  code:
    'padding:12px 16px;font-family:Consolas,Menlo,monospace;font-size:32px;line-height:38px;' +
    'font-weight:600;letter-spacing:4px',
  buttonPlace: 'padding:12px 16px',
  buttonCell: 'padding:0;border-radius:6px;mso-padding-alt:13px 28px 13px 28px',
  button:
    `display:inline-block;padding:13px 28px;border-radius:6px;color:#ffffff;${FONT}` +
    'font-size:16px;line-height:24px;font-weight:600;text-decoration:none',
  note: `padding:0 16px 24px;${FONT}font-size:14px;line-height:21px;${WRAP}`,
  rulePlace: 'padding:8px 16px 16px;font-size:1px;line-height:1px',
  rule: 'border-top:1px solid #8a8f98;font-size:1px;line-height:1px',
  footer: `padding:0 16px 8px;${FONT}font-size:13px;line-height:20px;${WRAP}`,
} as const

/** The start tag of a table for layout, which screen readers do not announce as a table. */
const table = (more: string) =>
  `<table role="presentation" border="0" cellpadding="0" cellspacing="0"${more}>`

const row = (style: string, content: string) => `<tr><td style="${style}">${content}</td></tr>`
const textRow = (style: string, text: string) => row(style, escapeHtml(text))

/** The colour and the padding are those of a cell: Outlook ignores them on a link. */
function buttonRow(label: string, url: string, colour = BUTTON_COLOUR): string {
  const link = `<a href="${escapeHtml(url)}" style="${STYLE.button}">${escapeHtml(label)}</a>`
  const background = escapeHtml(colour)
  const style = `${STYLE.buttonCell};background-color:${background}`
  const attributes = `align="center" bgcolor="${background}" style="${style}"`
  const cell = `<td ${attributes}>${link}</td>`
  return row(STYLE.buttonPlace, `${table('')}<tr>${cell}</tr></table>`)
}

/** Without this, Outlook scales widths with the resolution of the screen. */
const FOR_OUTLOOK =
  '<!--[if mso]><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch>' +
  '</o:OfficeDocumentSettings></xml><![endif]-->'

function headOf(heading: string): string[] {
  return [
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    '<style>:root{color-scheme:light dark}</style>',
    FOR_OUTLOOK,
    `<title>${escapeHtml(heading)}</title>`,
    '</head>',
  ]
}

/**
 * Renders the body as a complete HTML document without images or external resources. Tables make
 * the column and the button, so that Outlook shows both (decision 189).
 */
export function htmlPart(language: Language, body: MailBody): string {
  const { heading, paragraphs, code, action, buttonColour, footer } = body
  const codeRows = code
    ? [textRow(STYLE.code, code.value), textRow(STYLE.note, code.notes.join(' '))]
    : []
  const button = action
    ? [
        buttonRow(action.label, action.url, buttonColour),
        textRow(STYLE.note, action.notes.join(' ')),
      ]
    : []
  return [
    '<!DOCTYPE html>',
    `<html lang="${language}" dir="ltr" xmlns:o="urn:schemas-microsoft-com:office:office">`,
    ...headOf(heading),
    `<body style="${STYLE.body}">`,
    `${table(' width="100%"')}<tr><td align="center">`,
    // Outlook supports the attribute but not `max-width`; other programs use the style.
    table(` width="${COLUMN_WIDTH_PX}" align="center" style="${STYLE.column}"`),
    row(STYLE.heading, `<h1 style="${STYLE.headingText}">${escapeHtml(heading)}</h1>`),
    ...paragraphs.map((text) => textRow(STYLE.paragraph, text)),
    ...codeRows,
    ...button,
    row(STYLE.rulePlace, `${table(' width="100%"')}${row(STYLE.rule, '&nbsp;')}</table>`),
    ...footer.map((text) => textRow(STYLE.footer, text)),
    '</table>',
    '</td></tr></table>',
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

/**
 * Renders the body as plain text: paragraphs separated by empty lines, the link on its own line.
 */
export function textPart({ heading, paragraphs, code, action, footer }: MailBody): string {
  const codeLines = code ? [code.value, code.notes.join(' ')] : []
  const link = action ? [`${action.label}:\n${action.url}`, action.notes.join(' ')] : []
  const parts = [heading, ...paragraphs, ...codeLines, ...link, '—'.repeat(8), ...footer]
  return `${parts.join('\n\n')}\n`
}
