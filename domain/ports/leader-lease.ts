/** The port for leader election among replicas; a single process needs none. */

export interface Campaign {
  /** Called when it is confirmed which replica leads. */
  onKnown?(): void
  /** This replica becomes the leader. */
  onElected(): void
  /**
   * This replica is no longer the leader, for example because it could not renew in time; it takes
   * part in the next election.
   */
  onLost(): void
}

/**
 * Elects one leader at a time, as far as clocks and pauses allow. A leader that was paused may
 * believe for a moment that it still leads, so all its writes must use compare-and-swap.
 */
export interface LeaderLease {
  /**
   * Takes part in the election until ended.
   *
   * @returns a function that ends the campaign without `onLost` and releases the lease at once
   */
  campaign(campaign: Campaign): () => Promise<void>
}
