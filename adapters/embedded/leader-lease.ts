/** One process leads alone; campaigns within it take turns. */
import type { Campaign, LeaderLease } from '../../domain/ports/leader-lease.ts'

export class InProcessLeaderLease implements LeaderLease {
  readonly #standing: Campaign[] = []

  campaign(campaign: Campaign): () => Promise<void> {
    this.#standing.push(campaign)
    if (this.#standing[0] === campaign) this.#elect(campaign)
    return async () => {
      const place = this.#standing.indexOf(campaign)
      if (place < 0) return
      this.#standing.splice(place, 1)
      const [next] = this.#standing
      if (place === 0 && next) this.#elect(next)
    }
  }

  #elect(campaign: Campaign): void {
    // After the caller has its means to end the campaign.
    queueMicrotask(() => {
      if (this.#standing[0] === campaign) campaign.onElected()
    })
  }
}
