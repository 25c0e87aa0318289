/** Who of several replicas leads; a process that is alone on its data needs no election. */

export interface Campaign {
  /** It is known anew who leads, whoever that is. */
  onKnown?(): void
  /** This replica leads from now on. */
  onElected(): void
  /** It leads no longer, for example because it could not renew in time; it stands again. */
  onLost(): void
}

/**
 * Elects one leader at a time, as far as clocks and pauses allow: a leader that was paused may
 * believe in itself for a moment, so that whatever it writes must be compare-and-swap.
 */
export interface LeaderLease {
  /**
   * Stands for election until ended.
   *
   * @returns ends the campaign without `onLost` and lets another lead at once
   */
  campaign(campaign: Campaign): () => Promise<void>
}
