/** Limits how much one tenant or one address can use in a day or an hour (decision 172). */
import * as limits from '../../domain/limits.ts'
import type { Counters } from '../../domain/ports/counters.ts'
import { secondsUntil } from '../../domain/second-factor/seconds.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** All limits: default, window, and the message of a refusal. */
export const BOUNDS = {
  tenantCasesPerDay: {
    standard: limits.TENANT_CASES_PER_DAY,
    windowMs: DAY_MS,
    refusal: 'The tenant has reached its daily limit of cases',
  },
  tenantDevicesPerDay: {
    standard: limits.TENANT_DEVICES_PER_DAY,
    windowMs: DAY_MS,
    refusal: 'The tenant has reached its daily limit of device registrations',
  },
  tenantMailsPerDay: {
    standard: limits.TENANT_MAILS_PER_DAY,
    windowMs: DAY_MS,
    refusal: 'The tenant has reached its daily limit of mails',
  },
  tenantSmsPerDay: {
    standard: limits.TENANT_SMS_PER_DAY,
    windowMs: DAY_MS,
    refusal: 'The tenant has reached its daily limit of text messages',
  },
  verificationUploadsPerHour: {
    standard: limits.VERIFICATION_UPLOADS_PER_HOUR,
    windowMs: HOUR_MS,
    refusal: 'The address has reached its hourly limit of uploads',
  },
  verificationMegabytesPerHour: {
    standard: limits.VERIFICATION_MEGABYTES_PER_HOUR,
    windowMs: HOUR_MS,
    refusal: 'The address has reached its hourly limit of uploaded megabytes',
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

/** A use to count. */
export interface Use {
  bound: BoundName
  /** The user: a tenant or an address; a fixed text for a limit that all share. */
  of: string
  /** 1 when absent. */
  amount?: number
}

/** Uncounts a use in the window in which it was counted; a second call does nothing. */
export type Release = () => Promise<void>

/** The limit of the window is reached. */
export class BoundReachedError extends Error {
  override readonly name = 'BoundReachedError'
  readonly bound: BoundName
  /** Seconds until the next window begins. */
  readonly retryAfterSeconds: number

  constructor(bound: BoundName, retryAfterSeconds: number) {
    super(BOUNDS[bound].refusal)
    this.bound = bound
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Index of the current window (counted in UTC since 1970) and the instant at which it ends. */
export function windowAt(bound: BoundName, nowMs: number): { index: number; endMs: number } {
  const { windowMs } = BOUNDS[bound]
  const index = Math.floor(nowMs / windowMs)
  return { index, endMs: (index + 1) * windowMs }
}

export interface BoundsOptions {
  /** Shares the counts between processes; while it is unavailable, each process counts alone. */
  ephemeral: Counters
  limits: BoundLimits
  now(): Date
  /** Called with the error when a use could not be counted for all processes. */
  onUnshared?(error: unknown): void
}

/** Maximum number of counts in one process; the oldest are removed first. */
const MAXIMUM_OWN_COUNTS = 20_000

/**
 * Counts uses in fixed windows of the clock. The counts are approximate: around the end of a window
 * twice the limit may be used, and when the ephemeral store loses its values, each process
 * continues from its own count.
 */
export class Bounds {
  readonly #options: BoundsOptions
  /** The uses that this process counted; they remain when the shared counts are lost. */
  readonly #own = new Map<string, number>()

  constructor(options: BoundsOptions) {
    this.#options = options
  }

  /**
   * Counts the uses in this order, either all of them or none.
   *
   * @returns a function that uncounts the uses, for a caller that did not perform them
   * @throws BoundReachedError for the first use that exceeds its limit
   */
  async take(...uses: readonly Use[]): Promise<Release> {
    const nowMs = this.#options.now().getTime()
    const taken: Use[] = []
    const release = async () => {
      for (const one of taken.splice(0)) await this.#add(one, nowMs, -1)
    }
    for (const use of uses) {
      const { bound } = use
      const limit = this.#options.limits[bound]
      if (!Number.isFinite(limit)) continue
      taken.push(use)
      if ((await this.#add(use, nowMs, 1)) <= limit) continue
      await release()
      throw new BoundReachedError(bound, secondsUntil(windowAt(bound, nowMs).endMs, nowMs))
    }
    return release
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
