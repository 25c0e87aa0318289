/** Finds a folder in which Deno can keep the programs that it has compiled. */
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** Whether the user has a home in which Deno can write: containers often have none. */
function hasWritableHome(): boolean {
  try {
    accessSync(userInfo().homedir, constants.W_OK)
    return true
  } catch {
    // An unknown user, or a home that is missing or read-only.
    return false
  }
}

/** The user's own folder where there is one, else a fresh one that only this process knows. */
export class DenoFolder {
  readonly #path = hasWritableHome() ? undefined : mkdtempSync(join(tmpdir(), 'sigcase-deno-'))

  /** The whole environment of a child: nothing of this process's own reaches it. */
  get environment(): Record<string, string> {
    return this.#path === undefined ? {} : { DENO_DIR: this.#path }
  }

  /** Removes what Deno compiled; the user's own folder stays. */
  remove(): void {
    if (this.#path !== undefined) rmSync(this.#path, { recursive: true, force: true })
  }
}
