/** What the pictures of the documentation show, and what the service has when they are made. */
import type { Page } from 'playwright-core'
import type { ExampleCase, ExampleOptions } from './example-case.ts'

/** What the service has when the pictures are made. */
export interface Scene {
  baseUrl: string
  /** The tenant's token. */
  token: string
  /** Link of a participant who has not signed. */
  signerUrl: string
  /** The case of that participant. */
  caseId: string
  signed: Uint8Array
  evidence: Uint8Array
  /** Any PDF. */
  contract: Uint8Array
  /** Opens another case, with the contract unless another document is given. */
  openCase(options?: Partial<ExampleOptions>): Promise<ExampleCase>
  /** A link that signs in to the console, once. */
  consoleUrl(): Promise<string>
}

/**
 * A picture in both themes, `<name>-light.webp` and `<name>-dark.webp`: in `docs/pictures` when the
 * documentation shows it, otherwise in `docs/pictures/more`, which Git ignores.
 */
export interface Picture {
  name: string
  viewport: { width: number; height: number }
  /** A picture of paper has one theme. */
  isPaper?: boolean
  /** Brings the page into the state of the picture. */
  show(page: Page, scene: Scene): Promise<void>
}
