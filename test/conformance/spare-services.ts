/**
 * Services that test files of one process use one after the other: starting one and its reader of
 * PDFs takes more than a second of CPU time.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { afterLastFile } from '../../dev/test-suite/teardowns.ts'
import { mailFolder } from '../../runtime/embedded/paths.ts'
import type { WorldOptions } from './world.ts'

/** The part of a test that {@link openLasting} needs. */
export type Owner = Pick<Test, 'teardown'>

const spare: WorldOptions[] = []

/** Takes a service that an earlier test used, without its mails. */
export async function takeSpare(): Promise<WorldOptions | undefined> {
  const options = spare.pop()
  if (!options) return undefined
  const mails = mailFolder(options.folder)
  const names = await readdir(mails).catch(() => [])
  await Promise.all(names.map((name) => rm(join(mails, name), { force: true })))
  return { ...options, openedMs: Date.now() }
}

/**
 * Opens a service that later tests of the process can take.
 *
 * @param open opens it; what it registers at its owner is removed after the last file
 */
export async function openLasting(
  open: (owner: Owner) => Promise<WorldOptions>,
): Promise<WorldOptions> {
  const options = await open({ teardown: afterLastFile })
  const { service } = options
  const isKept = () => spare.some((one) => one.service === service)
  afterLastFile(() => (isKept() ? service.close() : undefined))
  return options
}

/** Keeps a service for the next test, or until the last file has ended. */
export function keepSpare(options: WorldOptions): void {
  spare.push(options)
}
