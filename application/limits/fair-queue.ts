/** A bounded queue that shares a scarce resource fairly between callers. */

/**
 * Identifies a caller. Turns alternate between groups first, then between the members of a group.
 */
export interface Caller {
  group: string
  member: string
}

export interface FairQueueOptions {
  /** Maximum number of concurrent turns. */
  maximumRunning: number
  /** Maximum number of waiting turns of all callers. */
  maximumWaiting: number
  /** Maximum number of waiting turns of one member. */
  maximumWaitingOfMember: number
}

/** The queue is full. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError'
  /** `member`: the caller has too many waiting turns; `queue`: the whole queue is full. */
  readonly by: 'member' | 'queue'

  constructor(by: 'member' | 'queue') {
    super(
      by === 'member' ? 'the caller has too many waiting turns' : 'too many callers are waiting',
    )
    this.by = by
  }
}

interface Turn {
  caller: Caller
  begin(): void
  refuse(error: unknown): void
}

const memberKey = ({ group, member }: Caller) => JSON.stringify([group, member])

/** Waiting turns by group and member; the next one is first. */
type Waiting = Map<string, Map<string, Turn[]>>

const countOf = (members: ReadonlyMap<string, readonly Turn[]> | undefined) =>
  [...(members?.values() ?? [])].reduce((sum, turns) => sum + turns.length, 0)

/**
 * A queue in which a caller with many requests delays only itself. A member has at most one running
 * turn. Turns alternate between the waiting groups, and within a group between its members. When
 * the queue is full, a new turn replaces the newest turn of the group with most waiting turns,
 * unless its own group has about as many.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  readonly #waiting: Waiting = new Map()
  readonly #running = new Set<string>()
  #waitingCount = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  /**
   * Runs the work when it is the caller's turn; the turn lasts until the work has ended.
   *
   * @param work receives whether it had to wait, because the caller's data may then be outdated
   * @param signal cancels a waiting turn; a running turn is not stopped
   * @throws QueueFullError when the queue is full, or the turn was replaced; the reason of
   *   `signal`; errors of `work`
   */
  async run<T>(
    caller: Caller,
    work: (hasWaited: boolean) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const hasWaited = await this.#turn(caller, signal)
    try {
      return await work(hasWaited)
    } finally {
      this.#running.delete(memberKey(caller))
      this.#moveToEnd(caller)
      this.#beginNext()
    }
  }

  /** @returns whether the caller had to wait */
  async #turn(caller: Caller, signal: AbortSignal | undefined): Promise<boolean> {
    signal?.throwIfAborted()
    if (this.#mayBegin(caller)) {
      this.#running.add(memberKey(caller))
      return false
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const turn = { caller, begin: resolve, refuse: reject }
    this.#wait(turn)
    const giveUp = () => {
      if (this.#remove(turn)) reject(signal?.reason)
    }
    signal?.addEventListener('abort', giveUp, { once: true })
    await promise.finally(() => signal?.removeEventListener('abort', giveUp))
    return true
  }

  #mayBegin(caller: Caller): boolean {
    return (
      this.#running.size < this.#options.maximumRunning && !this.#running.has(memberKey(caller))
    )
  }

  /** @throws QueueFullError */
  #wait(turn: Turn): void {
    const { maximumWaiting, maximumWaitingOfMember } = this.#options
    const { group, member } = turn.caller
    const ofMember = this.#waiting.get(group)?.get(member)?.length ?? 0
    if (ofMember >= maximumWaitingOfMember) throw new QueueFullError('member')
    if (this.#waitingCount >= maximumWaiting) this.#makeRoomFor(group)
    const members = this.#waiting.get(group) ?? new Map<string, Turn[]>()
    this.#waiting.set(group, members)
    members.set(member, [...(members.get(member) ?? []), turn])
    this.#waitingCount++
  }

  /** @throws QueueFullError when no group has clearly more waiting turns than this one */
  #makeRoomFor(group: string): void {
    const own = countOf(this.#waiting.get(group))
    let longest: Map<string, Turn[]> | undefined
    for (const members of this.#waiting.values()) {
      if (countOf(members) > Math.max(countOf(longest), own + 1)) longest = members
    }
    const turns = [...(longest?.values() ?? [])].sort((a, b) => b.length - a.length)[0]
    const newest = turns?.at(-1)
    if (!newest) throw new QueueFullError('queue')
    this.#remove(newest)
    newest.refuse(new QueueFullError('queue'))
  }

  /** @returns whether the turn was waiting */
  #remove(turn: Turn): boolean {
    const { group, member } = turn.caller
    const members = this.#waiting.get(group)
    const turns = members?.get(member) ?? []
    const left = turns.filter((one) => one !== turn)
    if (!members || left.length === turns.length) return false
    if (left.length > 0) members.set(member, left)
    else members.delete(member)
    if (members.size === 0) this.#waiting.delete(group)
    this.#waitingCount--
    return true
  }

  #beginNext(): void {
    const next = this.#next()
    if (!next) return
    this.#moveToEnd(next.caller)
    this.#remove(next)
    this.#running.add(memberKey(next.caller))
    next.begin()
  }

  /** A caller that has or had a turn goes to the end of the queue. */
  #moveToEnd({ group, member }: Caller): void {
    moveToEnd(this.#waiting.get(group), member)
    moveToEnd(this.#waiting, group)
  }

  /** Finds the next turn that may begin, among at most `maximumWaiting`. */
  #next(): Turn | undefined {
    for (const members of this.#waiting.values()) {
      for (const [first] of members.values()) {
        if (first && this.#mayBegin(first.caller)) return first
      }
    }
    return undefined
  }
}

/** A map keeps the order in which keys were added, so re-adding moves a key to the end. */
function moveToEnd<V>(map: Map<string, V> | undefined, key: string): void {
  const value = map?.get(key)
  if (!map || value === undefined) return
  map.delete(key)
  map.set(key, value)
}
