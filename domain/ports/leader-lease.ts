/**
 * The port by which replicas share the groups of shards (decision 237); a single process needs
 * none.
 */

export interface Campaign {
  /** Called when it is confirmed which replicas have the groups. */
  onKnown?(): void
  /**
   * This replica has the group from now on.
   *
   * @param isHeld whether it still has the group; while it returns true, no other replica has it,
   *   as far as the monotonic clocks of both run equally fast
   */
  onElected(group: number, isHeld: () => boolean): void
  /**
   * This replica does not have the group any more, for example because it could not renew in time,
   * or because another replica has too few; it takes part in the next election.
   *
   * @returns resolves when nothing works for the group any more
   */
  onLost(group: number): Promise<void> | void
}

/**
 * Gives each group to one replica at a time, as far as clocks and pauses allow. A replica that was
 * paused may believe for a moment that it still has a group, so all its writes must use
 * compare-and-swap.
 */
export interface LeaderLease {
  /**
   * Takes part in the elections until ended.
   *
   * @returns a function that ends the campaign without `onLost` and releases all groups at once
   */
  campaign(campaign: Campaign): () => Promise<void>
}
