/** The peer @libpdf/core. */
import type { Credential } from '../../pades/index.ts'
import { load, type SigningPeer } from './peer.ts'

interface Signer {
  certificate: Uint8Array
  certificateChain: readonly Uint8Array[]
  keyType: 'EC'
  signatureAlgorithm: 'ECDSA'
  sign(data: Uint8Array): Promise<Uint8Array>
}

interface Document {
  sign(options: { signer: Signer; fieldName: string }): Promise<{ bytes: Uint8Array }>
}

interface LibPdf {
  PDF: { load(bytes: Uint8Array): Promise<Document> }
}

function signerOf({ certificates, sign }: Credential): Signer {
  const [certificate, ...certificateChain] = certificates
  return {
    certificate: certificate as Uint8Array,
    certificateChain,
    keyType: 'EC',
    signatureAlgorithm: 'ECDSA',
    sign: async (data) => sign(data),
  }
}

/** @returns undefined when it is not installed */
export async function libPdf(): Promise<SigningPeer | undefined> {
  const module = await load<LibPdf>('@libpdf/core')
  return (
    module && {
      name: '@libpdf/core',
      async sign(file, credentials) {
        let signed = file
        const document = await module.PDF.load(file)
        for (const [index, credential] of credentials.entries()) {
          const options = { signer: signerOf(credential), fieldName: `Signature${index + 1}` }
          signed = (await document.sign(options)).bytes
        }
        return signed
      },
    }
  )
}
