/** The order of waiting work, so that a tenant with much of it does not delay the others. */

/**
 * Waiting items in groups, such as the jobs of each tenant. The groups take turns, and within a
 * group the first item that was added is taken first.
 */
export class FairOrder<T> {
  /** Groups with waiting items; the group that has the next turn is first. */
  readonly #groups = new Map<string, Set<T>>()
  #size = 0

  /** Number of items that wait. */
  get size(): number {
    return this.#size
  }

  /** Adds an item unless it waits. A group that had none gets its turn after the others. */
  add(group: string, item: T): void {
    const items = this.#groups.get(group) ?? new Set()
    if (items.has(item)) return
    this.#groups.set(group, items.add(item))
    this.#size++
  }

  /** Whether the item waits. */
  has(group: string, item: T): boolean {
    return this.#groups.get(group)?.has(item) ?? false
  }

  /** Removes and returns the next item; undefined when none waits. */
  take(): T | undefined {
    const [next] = this.#groups
    if (!next) return undefined
    const [group, items] = next
    const [item] = items
    items.delete(item)
    this.#size--
    this.#groups.delete(group)
    if (items.size > 0) this.#groups.set(group, items)
    return item
  }

  /** Returns the first item of each group. */
  heads(): T[] {
    return [...this.#groups.values()].map(([first]) => first)
  }

  /** Removes all items. */
  clear(): void {
    this.#groups.clear()
    this.#size = 0
  }
}
