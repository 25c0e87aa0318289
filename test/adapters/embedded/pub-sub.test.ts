import t from 'tap'
import { InProcessPubSub } from '../../../adapters/embedded/pub-sub.ts'

t.test('a channel is forgotten with its last subscriber, and can be used again', async (t) => {
  const pubSub = new InProcessPubSub()
  const heard: string[] = []
  const listen = () => pubSub.subscribe('channel', (message) => heard.push(message))
  const [stopOne, stopOther] = [await listen(), await listen()]
  stopOne()
  await pubSub.publish('channel', 'for the other')
  t.equal(pubSub.channels, 1)
  stopOther()
  t.equal(pubSub.channels, 0)
  await listen()
  stopOther()
  await pubSub.publish('channel', 'again')
  t.same(heard, ['for the other', 'again'])
})
