/** The HTML part of a mail: one column of text with one button, readable in light and dark mode. */
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
  /** Below the line: why the recipient gets the mail, and where replies go. */
  footer: readonly string[]
}

/**
 * Sets no text or background colours, so that those of the mail client apply; only the button has
 * its own.
 */
const STYLE = {
  body:
    'margin:0;padding:24px 16px;' +
    'font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,sans-serif',
  column: 'max-width:560px;margin:0 auto',
  heading: 'margin:0 0 20px;font-size:22px;line-height:1.3',
  paragraph: 'margin:0 0 16px;overflow-wrap:anywhere',
  code: 'margin:28px 0 12px;font:600 32px/1.2 ui-monospace,Consolas,monospace;letter-spacing:4px',
  buttonPlace: 'margin:28px 0 12px',
  button:
    'display:inline-block;padding:13px 28px;border-radius:6px;background:#1b5e85;' +
    'color:#ffffff;font-weight:600;text-decoration:none',
  note: 'margin:0 0 24px;font-size:14px;overflow-wrap:anywhere',
  rule: 'margin:32px 0 16px;border:0;border-top:1px solid #8a8f98',
  footer: 'margin:0 0 8px;font-size:13px;overflow-wrap:anywhere',
} as const

const paragraph = (style: string, text: string) => `<p style="${style}">${escapeHtml(text)}</p>`

/** Renders the body as a complete HTML document without tables, images or external resources. */
export function htmlPart(language: Language, body: MailBody): string {
  const { heading, paragraphs, code, action, footer } = body
  const codeLines = code
    ? [paragraph(STYLE.code, code.value), paragraph(STYLE.note, code.notes.join(' '))]
    : []
  const button = action
    ? [
        `<p style="${STYLE.buttonPlace}"><a href="${escapeHtml(action.url)}" ` +
          `style="${STYLE.button}">${escapeHtml(action.label)}</a></p>`,
        paragraph(STYLE.note, action.notes.join(' ')),
      ]
    : []
  return [
    '<!DOCTYPE html>',
    `<html lang="${language}" dir="ltr">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    '<style>:root{color-scheme:light dark}</style>',
    `<title>${escapeHtml(heading)}</title>`,
    '</head>',
    `<body style="${STYLE.body}">`,
    `<div style="${STYLE.column}">`,
    `<h1 style="${STYLE.heading}">${escapeHtml(heading)}</h1>`,
    ...paragraphs.map((text) => paragraph(STYLE.paragraph, text)),
    ...codeLines,
    ...button,
    `<hr style="${STYLE.rule}">`,
    ...footer.map((text) => paragraph(STYLE.footer, text)),
    '</div>',
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
