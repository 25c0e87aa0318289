/** Bounds of what one tenant or one address can use up in a day or an hour (decision 172). */
import * as limits from './limits.ts'
import type { Ephemeral } from './ports/ephemeral.ts'
import { secondsUntil } from './second-factor/seconds.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** Every bound: its default, the window it is counted in, and what a refusal says. */
export const BOUNDS = {
  tenantCasesPerDay: {
    standard: limits.TENANT_CASES_PER_DAY,
    windowMs: DAY_MS,
    refusal: 'The tenant has created as many cases as are allowed in a day',
  },
  tenantDevicesPerDay: {
    standard: limits.TENANT_DEVICES_PER_DAY,
    windowMs: DAY_MS,
    refusal: 'The tenant has registered as many devices as are allowed in a day',
  },
  tenantMailsPerDay: {
    standard: limits.TENANT_MAILS_PER_DAY,
    windowMs: DAY_MS,
    refusal: 'As many mails as are allowed in a day were sent for the tenant',
  },
  tenantSmsPerDay: {
    standard: limits.TENANT_SMS_PER_DAY,
    windowMs: DAY_MS,
    refusal: 'As many text messages as are allowed in a day were sent for the tenant',
  },
  verificationUploadsPerHour: {
    standard: limits.VERIFICATION_UPLOADS_PER_HOUR,
    windowMs: HOUR_MS,
    refusal: 'The address has asked for as many uploads as are allowed in an hour',
  },
  verificationMegabytesPerHour: {
    standard: limits.VERIFICATION_MEGABYTES_PER_HOUR,
    windowMs: HOUR_MS,
    refusal: 'The address has asked to upload as much as is allowed in an hour',
  },
  allVerificationUploadsPerHour: {
    standard: limits.ALL_VERIFICATION_UPLOADS_PER_HOUR,
    windowMs: HOUR_MS,
    refusal: 'Too many uploads in this hour',
  },
  allVerificationMegabytesPerHour: {
    standard: limits.ALL_VERIFICATION_MEGABYTES_PER_HOUR,
    windowMs: HOUR_MS,
    refusal: 'Too many uploads in this hour',
  },
} as const satisfies Record<string, { standard: number; windowMs: number; refusal: string }>

export type BoundName = keyof typeof BOUNDS
/** The limit of each bound in one window; `Infinity` means no limit. */
export type BoundLimits = Readonly<Record<BoundName, number>>

/** What is about to be used. */
export interface Use {
  bound: BoundName
  /** Who uses it: a tenant or an address; a fixed text for a bound that all share. */
  of: string
  /** One when absent. */
  amount?: number
}

/** Takes back what was counted, in the window it was counted in; a second call does nothing. */
export type GiveBack = () => Promise<void>

/** The window has no room for the use. */
export class BoundReachedError extends Error {
  override readonly name = 'BoundReachedError'
  readonly bound: BoundName
  /** When the next window begins. */
  readonly retryAfterSeconds: number

  constructor(bound: BoundName, retryAfterSeconds: number) {
    super(BOUNDS[bound].refusal)
    this.bound = bound
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Whole windows of the clock in UTC since 1970, and the instant at which this one ends. */
export function windowAt(bound: BoundName, nowMs: number): { index: number; endMs: number } {
  const { windowMs } = BOUNDS[bound]
  const index = Math.floor(nowMs / windowMs)
  return { index, endMs: (index + 1) * windowMs }
}

export interface BoundsOptions {
  /** Shares the counts between processes; while it is unavailable, each process counts alone. */
  ephemeral: Pick<Ephemeral, 'increment'>
  limits: BoundLimits
  now(): Date
  /** Gets the error when a use could not be counted for all processes. */
  onUnshared?(error: unknown): void
}

/** Keys of one process; the oldest are forgotten first. */
const MAXIMUM_OWN_COUNTS = 20_000

/**
 * Counts uses in whole windows of the clock. The counts are approximate: across the end of a window
 * twice the limit may be used, and when the ephemeral store loses its values, each process goes on
 * from its own count.
 */
export class Bounds {
  readonly #options: BoundsOptions
  /** The uses that this process counted; they remain when the shared counts are lost. */
  readonly #own = new Map<string, number>()

  constructor(options: BoundsOptions) {
    this.#options = options
  }

  /**
   * Counts the uses, in this order, all of them or none.
   *
   * @returns takes the uses back, for a caller that did not do what it counted
   * @throws BoundReachedError for the first that has no room
   */
  async take(...uses: readonly Use[]): Promise<GiveBack> {
    const nowMs = this.#options.now().getTime()
    const taken: Use[] = []
    const giveBack = async () => {
      for (const one of taken.splice(0)) await this.#add(one, nowMs, -1)
    }
    for (const use of uses) {
      const { bound } = use
      const limit = this.#options.limits[bound]
      if (!Number.isFinite(limit)) continue
      taken.push(use)
      if ((await this.#add(use, nowMs, 1)) <= limit) continue
      await giveBack()
      throw new BoundReachedError(bound, secondsUntil(windowAt(bound, nowMs).endMs, nowMs))
    }
    return giveBack
  }

  /** @returns the larger of the shared count and that of this process */
  async #add({ bound, of, amount = 1 }: Use, nowMs: number, sign: 1 | -1): Promise<number> {
    const { ephemeral, onUnshared } = this.#options
    const key = `bound/${bound}/${of}/${windowAt(bound, nowMs).index}`
    const own = (this.#own.get(key) ?? 0) + sign * amount
    this.#own.delete(key)
    this.#own.set(key, own)
    if (this.#own.size > MAXIMUM_OWN_COUNTS) this.#forgetOldest()
    try {
      return Math.max(own, await ephemeral.increment(key, BOUNDS[bound].windowMs, sign * amount))
    } catch (error) {
      onUnshared?.(error)
      return own
    }
  }

  #forgetOldest(): void {
    for (const key of this.#own.keys()) {
      this.#own.delete(key)
      return
    }
  }
}
