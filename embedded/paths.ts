/** Files of the data directory that developers' commands and tests know as well. */
import { join } from 'node:path'

/** One JWK Set for each purpose: the symmetric keys, and those that sign facts. */
export const keyringFolder = (dataDirectory: string) => join(dataDirectory, 'keyring')
/** The software keys of the authorities, and their certificates. */
export const keysFolder = (dataDirectory: string) => join(dataDirectory, 'keys')
/** SQLite. */
export const casesPath = (dataDirectory: string) => join(dataDirectory, 'cases.sqlite')
/** What a PDF reader has to trust, PEM. */
export const rootCertificatePath = (dataDirectory: string) =>
  join(keysFolder(dataDirectory), 'root.pem')
/** One `.eml` file per mail, named after the id of the event that owes it. */
export const mailFolder = (dataDirectory: string) => join(dataDirectory, 'mail')

/** What `npm run build:web` makes; need not be there. */
export const PAGES_FOLDER = join(import.meta.dirname, '../web/dist')
