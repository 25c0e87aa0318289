/** The part of pdf.js's worker that the second reader uses; the package has no types for it. */
declare module 'pdfjs-dist/build/pdf.worker.min.mjs' {
  /** What a worker and the page that started it exchange messages over. */
  interface Port {
    postMessage(message: unknown): void
    addEventListener(type: string, listener: (event: { data: unknown }) => void): void
    removeEventListener(): void
  }
  export const WorkerMessageHandler: {
    /** @returns the name under which the handler listens */
    createDocumentHandler(parameters: Record<string, unknown>, port: Port): string
  }
}
