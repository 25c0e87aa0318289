/** Reads certificates with pkijs. */

import { Certificate } from 'pkijs'
import { readOnce } from '../cms/read-once.ts'

/** Reads a DER certificate; equal octets give the same object, which must not be changed. */
export const readCertificate = readOnce((der: Uint8Array) =>
  Certificate.fromBER(Uint8Array.from(der).buffer),
)
