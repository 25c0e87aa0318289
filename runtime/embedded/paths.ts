/** Paths in the data directory that developers' commands and tests also use. */
import { join } from 'node:path'

/** One JWK Set per purpose: the symmetric keys and the keys that sign facts. */
export const keyringFolder = (dataDirectory: string) => join(dataDirectory, 'keyring')
/** The software keys of the authorities and their certificates. */
export const keysFolder = (dataDirectory: string) => join(dataDirectory, 'keys')
/** The SQLite database of cases. */
export const casesPath = (dataDirectory: string) => join(dataDirectory, 'cases.sqlite')
/** The root certificate for PDF readers, PEM. */
export const rootCertificatePath = (dataDirectory: string) =>
  join(keysFolder(dataDirectory), 'root.pem')
/** One `.eml` file per mail, named after the event id of the mail. */
export const mailFolder = (dataDirectory: string) => join(dataDirectory, 'mail')

/** Output folder of `npm run build:web`; it may be missing. */
export const PAGES_FOLDER = join(import.meta.dirname, '../../web/dist')
