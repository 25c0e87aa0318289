/**
 * Runs the emulators as a process of the local cluster: `node main.ts <options as JSON>`. It can be
 * stopped and resumed, and its data ends with it. A control port answers when all emulators are
 * ready; it also starts and ends outages, and changes keys.
 */
import process from 'node:process'
import { emulatedServer, json } from './http.ts'
import { startOutside, type KeyOrder, type OutageOrder, type OutsideOptions } from './outside.ts'

/** All options except the clock. */
export interface OutsideProcessOptions extends Omit<OutsideOptions, 'nowMs'> {
  ownPort: number
}

const { ownPort, ...options } = JSON.parse(process.argv[2] ?? '') as OutsideProcessOptions
const outside = await startOutside(options)

await emulatedServer(({ method, body }) => {
  if (method === 'GET') return json(200, {})
  const order = JSON.parse(body.toString()) as OutageOrder | KeyOrder
  if ('service' in order) {
    return json(200, { refused: outside.setAway(order.service, order.isAway) })
  }
  outside.changeKey(order.key, order.change)
  return json(200, {})
}, ownPort)
