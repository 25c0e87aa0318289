/** Answers questions for the names of Services, as the DNS of a cluster does (RFC 1035). */
import { Buffer } from 'node:buffer'
import { createSocket } from 'node:dgram'
import { createServer, type Socket } from 'node:net'
import type { Endpoints, Service } from './objects.ts'

const ZONE = ['svc', 'cluster', 'local']
const TTL_SECONDS = 2
const TYPE_A = 1
const HEADER_BYTES = 12
/** RFC 1035, 4.1.1: a response, authoritative, with recursion available. */
const RESPONSE_FLAGS = 0x8480
const RECURSION_DESIRED = 0x0100
const NAME_ERROR = 3
/** RFC 1035, 4.1.4: the name is the one of the question. */
const POINTER_TO_QUESTION = [0xc0, HEADER_BYTES]
const IDLE_MS = 5_000
const PORT = 53

export interface Names {
  services: readonly Service[]
  endpoints: readonly Endpoints[]
}

/**
 * Looks up `[<pod>.]<service>.<namespace>.svc.cluster.local`.
 *
 * @returns addresses, or undefined when there is no such name
 */
export function lookUp({ services, endpoints }: Names, name: string): string[] | undefined {
  const labels = name.toLowerCase().split('.')
  if (labels.slice(-3).join('.') !== ZONE.join('.')) return undefined
  const own = labels.slice(0, -3)
  const [service, namespace] = own.slice(-2)
  const isSame = ({ metadata }: Service | Endpoints) =>
    metadata.name === service && metadata.namespace === namespace
  const found = services.find(isSame)
  if (!found) return undefined
  const subsets = endpoints.find(isSame)?.subsets ?? []
  const addresses = subsets.flatMap((subset) => subset.addresses ?? [])
  const { clusterIP } = found.spec
  if (own.length === 2) {
    if (clusterIP === 'None') return addresses.map(({ ip }) => ip)
    return clusterIP === undefined ? [] : [clusterIP]
  }
  const host = own.slice(0, -2).join('.')
  const one = addresses.filter(
    ({ ip, hostname }) => hostname === host || ip.replaceAll('.', '-') === host,
  )
  return one.length > 0 ? one.map(({ ip }) => ip) : undefined
}

/** Builds the answer to a message. @throws RangeError when it is not a question */
export function answerTo(names: Names, query: Buffer): Buffer {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query.readUInt8(at); length !== 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  const end = at + 5
  const addresses = lookUp(names, labels.join('.'))
  const records = query.readUInt16BE(at + 1) === TYPE_A ? (addresses ?? []) : []
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  const isRecursive = query.readUInt16BE(2) & RECURSION_DESIRED
  header.writeUInt16BE(RESPONSE_FLAGS | isRecursive | (addresses ? 0 : NAME_ERROR), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  const answers = records.map((ip) => {
    const address = ip.split('.').map(Number)
    return Buffer.from([
      ...POINTER_TO_QUESTION,
      0,
      TYPE_A,
      0,
      1,
      0,
      0,
      0,
      TTL_SECONDS,
      0,
      4,
      ...address,
    ])
  })
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...answers])
}

function serveStream(socket: Socket, answer: (query: Buffer) => Buffer): void {
  let held = Buffer.alloc(0)
  socket.setTimeout(IDLE_MS, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    while (held.length >= 2 && held.length >= 2 + held.readUInt16BE(0)) {
      const end = 2 + held.readUInt16BE(0)
      const answered = answer(held.subarray(2, end))
      held = held.subarray(end)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(answered.length)
      socket.write(Buffer.concat([length, answered]))
    }
  })
}

/** Listens for UDP and TCP. @param names as they are known at the moment */
export function serveNames(address: string, names: () => Names): void {
  const answer = (query: Buffer) => answerTo(names(), query)
  const udp = createSocket('udp4')
  udp.on('message', (query, { port, address: client }) => {
    try {
      udp.send(answer(query), port, client)
    } catch (error) {
      console.error('a message is not a question', error)
    }
  })
  udp.bind(PORT, address)
  createServer((socket) => serveStream(socket, answer)).listen(PORT, address)
}
