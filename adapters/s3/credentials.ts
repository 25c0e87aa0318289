/**
 * Reads credentials from a file in the format of the AWS tools, and again when the file changes.
 */
import { readFile, stat } from 'node:fs/promises'
import { S3RefusedError } from './refusals.ts'
import type { S3Credentials } from './signature.ts'

/** Gives the credentials of the next request. */
export interface CredentialSource {
  /**
   * @param lifeMs how long what is signed with them has to be valid, if possible
   * @throws S3RefusedError when an operator has to act
   */
  current(lifeMs?: number): Promise<S3Credentials>
  /** Forgets credentials that the store refused. */
  forget(): void
}

const SECTION = 'default'

/** Reads `name = value` lines of the section `[default]`. */
function readProfile(text: string): Map<string, string> {
  const values = new Map<string, string>()
  let section = ''
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[\s*([^\]]+?)\s*\]\s*$/.exec(line)
    if (header) section = header[1] ?? ''
    const [, name, value] = /^\s*([a-z_]+)\s*=\s*(\S+)\s*$/.exec(line) ?? []
    if (section === SECTION && name !== undefined && value !== undefined) values.set(name, value)
  }
  return values
}

/** Reads a credentials file. @returns undefined when it lacks one of the keys */
function parseCredentials(text: string): S3Credentials | undefined {
  const values = readProfile(text)
  const accessKeyId = values.get('aws_access_key_id')
  const secretAccessKey = values.get('aws_secret_access_key')
  const sessionToken = values.get('aws_session_token')
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) }
}

export class CredentialsFile implements CredentialSource {
  readonly #path: string
  #read: { identity: string; credentials: S3Credentials } | undefined

  /** @param path absolute path of the file */
  constructor(path: string) {
    this.#path = path
  }

  async current(): Promise<S3Credentials> {
    const found = await stat(this.#path).catch((cause: unknown) => {
      throw new S3RefusedError('AWS_SHARED_CREDENTIALS_FILE cannot be read', { cause })
    })
    const identity = `${found.ino} ${found.mtimeMs} ${found.size}`
    if (this.#read?.identity === identity) return this.#read.credentials
    const credentials = parseCredentials(await readFile(this.#path, 'utf8'))
    if (!credentials) {
      throw new S3RefusedError(
        'AWS_SHARED_CREDENTIALS_FILE has no section [default] with aws_access_key_id and ' +
          'aws_secret_access_key',
      )
    }
    this.#read = { identity, credentials }
    return credentials
  }

  forget(): void {
    this.#read = undefined
  }
}
