/** The header by which a browser saves an object under its document's name (RFC 6266). */
import { create } from 'content-disposition'

const NOT_FOR_EVERY_CLIENT = /[^ -~]|["%\\]/g

/** Clients that know nothing but ASCII get underscores: a question mark is in no file's name. */
export const attachmentNamed = (name: string): string =>
  create(name, { fallback: name.replace(NOT_FOR_EVERY_CLIENT, '_') })
