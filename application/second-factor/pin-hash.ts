/** Hashes PINs with a salted slow hash (scrypt, RFC 7914) and limits concurrent work. */
import { Buffer } from 'node:buffer'
import { scrypt } from 'node:crypto'
import { FairQueue, type Caller } from '../limits/fair-queue.ts'
import { runInTurn } from '../limits/run-in-turn.ts'
import { isSameSecret } from '../../domain/same-secret.ts'

export interface ScryptCost {
  /** N is 2 to the power of this; memory is 128 · N · r octets. */
  logarithmOfN: number
  /** r, in blocks of 128 octets. */
  blockSize: number
  /** p. */
  parallelization: number
}

/** 32 MiB and about a quarter of a second per guess, for an attacker who obtained the hashes. */
export const PIN_COST: ScryptCost = { logarithmOfN: 15, blockSize: 8, parallelization: 3 }

const SALT_OCTETS = 16
const HASH_OCTETS = 32
/** Turns alternate between tenants, then between their participants. */
const TURNS = {
  /** Two hashes of 32 MiB each leave threads of the pool for file access. */
  maximumRunning: 2,
  /** Limits the wait to the time of a request; further callers are refused at once. */
  maximumWaiting: 100,
  /** Leaves room for other members; guesses that a lock refuses end quickly. */
  maximumWaitingOfMember: 50,
} as const
/** Many turns end within this time. */
const RETRY_AFTER_SECONDS = 5
/** Factor over the documented memory need of 128 · N · r octets. */
const MEMORY_RESERVE = 2

const FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '')

/**
 * Normalises a PIN, however it was typed or sent: composed form, without surrounding white space.
 */
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

/** Callbacks of a PIN check. */
export interface PinGuess {
  /** Called when the turn of the guess begins; it throws to skip the check. */
  admit(): Promise<void>
  /** Records a wrong guess and throws; the turn lasts until it is done. */
  refuse(): Promise<never>
}

/**
 * Makes and checks hashes of PINs. One instance per process, because the limits are per process.
 */
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
   * Returns `$scrypt$ln=…,r=…,p=…$<salt>$<hash>`, in base64 without padding.
   *
   * @param tenant group of the fair queue
   * @throws ServiceError TIMEOUT when the queue is full
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
   * run sequentially, so that each is recorded before the next begins and the lock applies to it.
   *
   * @param caller the tenant and the participant whose tries are counted; by default the hash
   *   itself
   * @throws ServiceError TIMEOUT when the queue is full; the error of `refuse` or `admit`
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
