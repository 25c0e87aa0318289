import t from 'tap'
import { MAXIMUM_STREAMS, MAXIMUM_STREAMS_PER_TENANT } from '../../../api/graphql/case-updates.ts'
import { MAXIMUM_ANONYMOUS_PER_ADDRESS, OpenSockets } from '../../../api/graphql/open-sockets.ts'
import { ThrottledError } from '../../../application/errors.ts'
import { RecordingMetrics } from '../../fixtures/recording-metrics.ts'
import { NO_METRICS } from '../../../domain/ports/metrics.ts'

/** For sockets that need not give way. */
const stays = () => t.fail('it gave way')

t.test('an address has a limited number of sockets without a token', async (t) => {
  const sockets = new OpenSockets(NO_METRICS)
  const open = Array.from({ length: MAXIMUM_ANONYMOUS_PER_ADDRESS }, () =>
    sockets.open('10.0.0.1', stays),
  )
  t.throws(() => sockets.open('10.0.0.1', stays), ThrottledError)
  sockets.open('10.0.0.2', stays)
  open[0]?.identify('acme')
  sockets.open('10.0.0.1', stays)
  open[1]?.close()
  sockets.open('10.0.0.1', stays)
  t.throws(() => sockets.open('10.0.0.1', stays), ThrottledError)
})

t.test('a tenant has a limited number of sockets; a closed one frees its place', async (t) => {
  const sockets = new OpenSockets(NO_METRICS)
  const open = Array.from({ length: MAXIMUM_STREAMS_PER_TENANT }, (_, index) => {
    const socket = sockets.open(`10.0.0.${index}`, stays)
    socket.identify('acme')
    return socket
  })
  t.throws(() => sockets.open('10.0.1.1', stays).identify('acme'), ThrottledError)
  sockets.open('10.0.1.1', stays).identify('other')
  open[0]?.close()
  open[0]?.close()
  sockets.open('10.0.1.1', stays).identify('acme')
  t.throws(() => sockets.open('10.0.1.1', stays).identify('acme'), ThrottledError)
})

/** Opens as many sockets as a process has places, each of its own tenant. */
const identified = (sockets: OpenSockets, count = MAXIMUM_STREAMS) =>
  Array.from({ length: count }, (_, index) => {
    const socket = sockets.open(String(index), stays)
    socket.identify(`tenant-${index}`)
    return socket
  })

t.test('a process has a limited number of sockets, which is measured', async (t) => {
  const metrics = new RecordingMetrics()
  const sockets = new OpenSockets(metrics)
  const count = () => metrics.values.get('sigcase_graphql_sockets')
  t.equal(count(), 0)
  const open = identified(sockets)
  for (let time = 0; time < 2 * MAXIMUM_ANONYMOUS_PER_ADDRESS; time++) {
    t.throws(() => sockets.open('more', stays), ThrottledError)
  }
  t.equal(count(), MAXIMUM_STREAMS)
  open[0]?.close()
  t.equal(count(), MAXIMUM_STREAMS - 1)
  sockets.open('more', stays)
})

t.test('sockets that wait without a token give way to others, the oldest first', async (t) => {
  const sockets = new OpenSockets(NO_METRICS)
  identified(sockets, MAXIMUM_STREAMS - 2)
  const ended: string[] = []
  const open = (name: string) => sockets.open(name, () => ended.push(name))
  open('first')
  const second = open('second')
  const third = open('third')
  t.same(ended, ['first'])
  second.identify('acme')
  open('fourth')
  t.same(ended, ['first', 'third'], 'never one with a token')
  third.identify('acme')
  third.close()
  open('fifth')
  t.same(ended, ['first', 'third', 'fourth'], 'one that gave way holds no place')
})

t.test('a socket that closed before its token was read counts for nobody', async (t) => {
  const sockets = new OpenSockets(NO_METRICS)
  for (let count = 0; count < MAXIMUM_STREAMS_PER_TENANT; count++) {
    const socket = sockets.open('10.0.0.1', stays)
    socket.close()
    socket.identify('acme')
  }
  t.doesNotThrow(() => sockets.open('10.0.0.1', stays).identify('acme'))
})
