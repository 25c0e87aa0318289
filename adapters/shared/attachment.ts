/** The header that makes a browser save an object under its document's name (RFC 6266). */
import { create } from 'content-disposition'

const NOT_FOR_EVERY_CLIENT = /[^ -~]|["%\\]/g

/** Clients without support for Unicode names get underscores in place of other characters. */
export const attachmentNamed = (name: string): string =>
  create(name, { fallback: name.replace(NOT_FOR_EVERY_CLIENT, '_') })
