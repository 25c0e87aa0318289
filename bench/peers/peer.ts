/** Loads libraries to compare with, if they are installed in `bench/`. */
import type { Credential } from '../../pades/index.ts'

/** Signs a file once with each credential, one after the other, and returns the whole file. */
export interface SigningPeer {
  name: string
  sign(file: Uint8Array, credentials: readonly Credential[]): Promise<Uint8Array>
}

/** Counts the pages of a file and reads the size of each. */
export interface ReadingPeer {
  name: string
  pageSizes(file: Uint8Array): Promise<{ width: number; height: number }[]>
}

/**
 * @param specifier a variable, so that the compiler does not look for types of missing packages
 * @returns undefined when the library is absent
 */
export async function load<Module>(specifier: string): Promise<Module | undefined> {
  try {
    return (await import(specifier)) as Module
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}
