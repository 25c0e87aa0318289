import t from 'tap'
import { MAXIMUM_STREAMS, MAXIMUM_STREAMS_PER_TENANT } from '../../../api/graphql/case-updates.ts'
import { MAXIMUM_ANONYMOUS_PER_ADDRESS, OpenSockets } from '../../../api/graphql/open-sockets.ts'
import { ThrottledError } from '../../../application/errors.ts'
import { RecordingMetrics } from '../../fixtures/recording-metrics.ts'

t.test('an address has a limited number of sockets without a token', async (t) => {
  const sockets = new OpenSockets()
  const open = Array.from({ length: MAXIMUM_ANONYMOUS_PER_ADDRESS }, () => sockets.open('10.0.0.1'))
  t.throws(() => sockets.open('10.0.0.1'), ThrottledError)
  sockets.open('10.0.0.2')
  open[0]?.identify('acme')
  sockets.open('10.0.0.1')
  open[1]?.close()
  sockets.open('10.0.0.1')
  t.throws(() => sockets.open('10.0.0.1'), ThrottledError)
})

t.test('a tenant has a limited number of sockets; a closed one frees its place', async (t) => {
  const sockets = new OpenSockets()
  const open = Array.from({ length: MAXIMUM_STREAMS_PER_TENANT }, (_, index) => {
    const socket = sockets.open(`10.0.0.${index}`)
    socket.identify('acme')
    return socket
  })
  t.throws(() => sockets.open('10.0.1.1').identify('acme'), ThrottledError)
  sockets.open('10.0.1.1').identify('other')
  open[0]?.close()
  open[0]?.close()
  sockets.open('10.0.1.1').identify('acme')
  t.throws(() => sockets.open('10.0.1.1').identify('acme'), ThrottledError)
})

t.test('a process has a limited number of sockets, which is measured', async (t) => {
  const metrics = new RecordingMetrics()
  const sockets = new OpenSockets(metrics)
  const count = () => metrics.values.get('sigcase_graphql_sockets')
  t.equal(count(), 0)
  const open = Array.from({ length: MAXIMUM_STREAMS }, (_, index) => sockets.open(String(index)))
  t.throws(() => sockets.open('more'), ThrottledError)
  t.equal(count(), MAXIMUM_STREAMS)
  open[0]?.close()
  t.equal(count(), MAXIMUM_STREAMS - 1)
  sockets.open('more')
})

t.test('a socket that closed before its token was read counts for nobody', async (t) => {
  const sockets = new OpenSockets()
  for (let count = 0; count < MAXIMUM_STREAMS_PER_TENANT; count++) {
    const socket = sockets.open('10.0.0.1')
    socket.close()
    socket.identify('acme')
  }
  t.doesNotThrow(() => sockets.open('10.0.0.1').identify('acme'))
})
