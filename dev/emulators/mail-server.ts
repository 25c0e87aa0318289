/** A mail server on loopback that delivers to a folder: one `.eml` file per mail. */
import { Buffer } from 'node:buffer'
import { mkdirSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'

/** RFC 5322, 3.6.4; the service's ids are UUIDs. */
const MESSAGE_ID = /^Message-ID: <([0-9a-f-]{36})@/im
const REFUSED = 554
/** Workers keep connections open; the package's default makes each end wait for 30 s. */
const CLOSE_TIMEOUT_MS = 100

export interface MailServer {
  port: number
  close(): Promise<void>
}

/** Writes the mail atomically; a repeated mail replaces the earlier file. */
async function deliver(folder: string, octets: Buffer): Promise<void> {
  const id = MESSAGE_ID.exec(octets.toString('latin1'))?.[1]
  if (id === undefined) throw Object.assign(new Error('no id'), { responseCode: REFUSED })
  const path = join(folder, `${id}.eml`)
  await writeFile(`${path}.part`, octets)
  await rename(`${path}.part`, path)
}

/** @param port 0: any free one */
export async function startMailServer(folder: string, port = 0): Promise<MailServer> {
  mkdirSync(folder, { recursive: true })
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: CLOSE_TIMEOUT_MS,
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        deliver(folder, Buffer.concat(chunks)).then(() => done(), done)
      })
    },
  })
  // A client that disconnects during a mail sends the mail again.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
