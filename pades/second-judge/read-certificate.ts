/** Reads certificates with pkijs. */

import { Certificate } from 'pkijs'
import { readOnce } from '../cms/read-once.ts'
import { keepSchemas } from './kept-schemas.ts'

keepSchemas()

const ders = new WeakMap<Certificate, Uint8Array>()

/** Reads a DER certificate; equal octets give the same object, which must not be changed. */
export const readCertificate = readOnce((der: Uint8Array) => {
  const certificate = Certificate.fromBER(Uint8Array.from(der).buffer)
  ders.set(certificate, der)
  return certificate
})

/** The octets that {@link readCertificate} has read; undefined for other certificates. */
export const derOf = (certificate: Certificate): Uint8Array | undefined => ders.get(certificate)
