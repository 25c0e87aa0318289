/** Files of the data directory that the developers' commands know as well. */
import { join } from 'node:path'

export const keyringPath = (dataDirectory: string) => join(dataDirectory, 'keyring.json')
/** What a PDF reader has to trust, PEM. */
export const rootCertificatePath = (dataDirectory: string) =>
  join(dataDirectory, 'keys', 'root.pem')
