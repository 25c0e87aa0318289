/** What of the image decoders of pdf.js is used here; the package declares none of it. */
declare module 'pdfjs-dist/image_decoders/pdf.image_decoders.mjs' {
  export class JpegImage {
    readonly width: number
    readonly height: number
    parse(data: Uint8Array): void
    getData(options: { width: number; height: number; forceRGBA: true }): Uint8ClampedArray
  }
  export const VerbosityLevel: { readonly ERRORS: number }
  export function setVerbosityLevel(level: number): void
}
