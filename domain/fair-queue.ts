/** Shares a scarce resource between callers: one turn at a time each, in fair order, bounded. */

/** Who asks: turns go round between groups first, and then between the members of a group. */
export interface Caller {
  group: string
  member: string
}

export interface FairQueueOptions {
  /** Turns that run at the same time. */
  maximumRunning: number
  /** Callers that wait for a turn, in all. */
  maximumWaiting: number
  /** Turns that one member waits for. */
  maximumWaitingOfMember: number
}

/** There is no place to wait. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError'
  /** `member`: the caller has too many turns waiting; `queue`: all callers together have. */
  readonly by: 'member' | 'queue'

  constructor(by: 'member' | 'queue') {
    super(by === 'member' ? 'the caller waits for too many turns' : 'too many callers wait')
    this.by = by
  }
}

interface Turn {
  caller: Caller
  begin(): void
  refuse(error: unknown): void
}

const memberKey = ({ group, member }: Caller) => JSON.stringify([group, member])

/** The turns that wait, by group and member; the one that waits for its turn longest is first. */
type Waiting = Map<string, Map<string, Turn[]>>

const countOf = (members: ReadonlyMap<string, readonly Turn[]> | undefined) =>
  [...(members?.values() ?? [])].reduce((sum, turns) => sum + turns.length, 0)

/**
 * A queue in which a caller with many requests delays only itself. A member has one running turn at
 * a time. Turns go round between the groups that wait, and within a group round between its
 * members. When the queue is full, a newcomer takes the place of the newest turn of the group that
 * waits for most turns, unless its own group waits for about as many.
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
   * Does the work when it is the caller's turn; the turn lasts until the work has ended.
   *
   * @param work gets whether it had to wait, because what its caller knew may then be out of date
   * @param signal gives up the place of a turn that still waits; a turn that runs is not stopped
   * @throws QueueFullError when there is no place to wait, or another caller was given it; the
   *   reason of `signal`; what `work` throws
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

  /** @throws QueueFullError when no group waits for clearly more turns than this one */
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

  /** A caller that has or had a turn comes after all others that wait. */
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

/** A map keeps the order in which keys were added. */
function moveToEnd<V>(map: Map<string, V> | undefined, key: string): void {
  const value = map?.get(key)
  if (!map || value === undefined) return
  map.delete(key)
  map.set(key, value)
}
