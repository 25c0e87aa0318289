/** PINs as salted slow hashes (scrypt, RFC 7914), a few at a time. */
import { Buffer } from 'node:buffer'
import { scrypt } from 'node:crypto'
import { FairQueue, type Caller } from '../fair-queue.ts'
import { runInTurn } from '../run-in-turn.ts'
import { isSameSecret } from '../same-secret.ts'

export interface ScryptCost {
  /** N is 2 to the power of this; memory is 128 · N · r octets. */
  logarithmOfN: number
  /** r, in blocks of 128 octets. */
  blockSize: number
  /** p. */
  parallelization: number
}

/** 32 MiB and about a quarter of a second for each guess of whoever got hold of the hashes. */
export const PIN_COST: ScryptCost = { logarithmOfN: 15, blockSize: 8, parallelization: 3 }

const SALT_OCTETS = 16
const HASH_OCTETS = 32
/** Turns go round between tenants, and then between their participants. */
const TURNS = {
  /** Two at 32 MiB each leave other threads of the pool to files. */
  maximumRunning: 2,
  /** A caller that would wait longer than a request may take is refused at once. */
  maximumWaiting: 100,
  /** Leaves places to others; guesses that a lock refuses end quickly. */
  maximumWaitingOfMember: 50,
} as const
/** Many turns end within this time. */
const RETRY_AFTER_SECONDS = 5
/** Room beside the 128 · N · r octets that the function is said to need. */
const MEMORY_RESERVE = 2

const FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '')

/** The same PIN however it was typed or sent: composed, without space around it. */
function normalPin(text: string): string {
  return text.normalize('NFC').trim()
}

function derive(pin: string, salt: Uint8Array, cost: ScryptCost, octets: number): Promise<Buffer> {
  const N = 2 ** cost.logarithmOfN
  const { blockSize: r, parallelization: p } = cost
  const maxmem = MEMORY_RESERVE * 128 * r * (N + p)
  return new Promise((resolve, reject) => {
    scrypt(normalPin(pin), salt, octets, { N, r, p, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

async function isPinOf(hash: string, pin: string): Promise<boolean> {
  const [, ln, r, p, salt = '', key = ''] = FORM.exec(hash) ?? []
  if (ln === undefined) return false
  const cost = { logarithmOfN: Number(ln), blockSize: Number(r), parallelization: Number(p) }
  const expected = Buffer.from(key, 'base64')
  const given = await derive(pin, Buffer.from(salt, 'base64'), cost, expected.length)
  return isSameSecret(given, expected)
}

export interface PinHashesOptions {
  randomBytes(octets: number): Uint8Array
  /** {@link PIN_COST} when absent. */
  cost?: ScryptCost
}

/** What a guess is asked of and led to. */
export interface PinGuess {
  /** Asked when the turn of the guess has come: what it throws spares the work. */
  admit(): Promise<void>
  /** Records a wrong one and throws; the turn lasts until it is done. */
  refuse(): Promise<never>
}

/** Makes and compares hashes of PINs; one instance per process, so that its bounds are one. */
export class PinHashes {
  readonly #randomBytes: PinHashesOptions['randomBytes']
  readonly #cost: ScryptCost
  readonly #turns = new FairQueue(TURNS)
  #made = 0

  constructor({ randomBytes, cost = PIN_COST }: PinHashesOptions) {
    this.#randomBytes = randomBytes
    this.#cost = cost
  }

  /**
   * `$scrypt$ln=…,r=…,p=…$<salt>$<hash>`, in base64 without padding.
   *
   * @param tenant takes turns with others
   * @throws ServiceError TIMEOUT when too many wait
   */
  async hash(pin: string, tenant = ''): Promise<string> {
    const { logarithmOfN, blockSize, parallelization } = this.#cost
    const salt = this.#randomBytes(SALT_OCTETS)
    const caller = { group: tenant, member: `new ${++this.#made}` }
    const key = await this.#inTurn(caller, () => derive(pin, salt, this.#cost, HASH_OCTETS))
    const parameters = `ln=${logarithmOfN},r=${blockSize},p=${parallelization}`
    return `$scrypt$${parameters}$${base64(salt)}$${base64(key)}`
  }

  /**
   * Checks a PIN in constant time; a text that is not a hash matches no PIN. Guesses of one caller
   * run one after the other, so that each is recorded before the next begins and the lock applies
   * to it.
   *
   * @param caller the participant of a tenant whose tries are counted; the hash itself when absent
   * @throws ServiceError TIMEOUT when too many wait; what the guess refuses with
   */
  async check(
    hash: string,
    pin: string,
    { admit, refuse }: PinGuess,
    caller: Caller = { group: '', member: hash },
  ): Promise<void> {
    await this.#inTurn(caller, async () => {
      await admit()
      if (!(await isPinOf(hash, pin))) await refuse()
    })
  }

  #inTurn<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    const refusals = { retryAfterSeconds: RETRY_AFTER_SECONDS }
    return runInTurn({ queue: this.#turns, caller }, refusals, work)
  }
}
