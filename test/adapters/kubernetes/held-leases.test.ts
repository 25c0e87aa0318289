import t from 'tap'
import { HeldLeases } from '../../../adapters/kubernetes/held-leases.ts'

const GIVE_UP_MS = 10_000

t.test(
  'a group is held until its last renewal is too old, also before the timer runs',
  async (t) => {
    let nowMs = 0
    let isHeld = () => false
    const held = new HeldLeases({
      // Those of a process that is paused.
      timers: { nowMs: () => 0, after: () => () => {} },
      monotonicMs: () => nowMs,
      giveUpMs: GIVE_UP_MS,
      campaign: { onElected: (_group, asked) => void (isHeld = asked), onLost: () => {} },
      release: async () => {},
    })
    held.hold(0, nowMs)
    held.run(0)
    t.ok(isHeld())
    nowMs = GIVE_UP_MS - 1
    t.ok(isHeld())
    nowMs = GIVE_UP_MS
    t.notOk(isHeld())
    held.hold(0, nowMs)
    t.ok(isHeld(), 'it was renewed')
    held.lose(0)
    t.notOk(isHeld())
    held.hold(0, nowMs)
    t.notOk(isHeld(), 'it was taken again, for other controllers')
  },
)
