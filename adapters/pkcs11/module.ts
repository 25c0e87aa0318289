/**
 * Calls a PKCS #11 module, the library of a hardware security module, by the foreign function
 * interface of Deno. PKCS #11 2.40, for 64-bit Linux: a CK_ULONG has eight octets.
 */
import { Buffer } from 'node:buffer'

/** The part of Deno's interface that this file uses; addresses are opaque objects or null. */
interface ForeignFunctions {
  dlopen(
    path: string,
    symbols: { C_GetFunctionList: Signature },
  ): { symbols: { C_GetFunctionList(list: Uint8Array): bigint }; close(): void }
  UnsafePointer: {
    create(address: bigint): object | null
    of(octets: Uint8Array): object | null
    value(pointer: object | null): bigint
  }
  UnsafePointerView: new (pointer: object) => { getBigUint64(offset: number): bigint }
  UnsafeFnPointer: new (
    pointer: object,
    signature: Signature,
  ) => { call(...values: readonly (bigint | Uint8Array | null)[]): Promise<bigint> }
}

interface Signature {
  parameters: readonly ('usize' | 'buffer')[]
  result: 'usize'
  /** The call runs on a thread, and the process goes on. */
  nonblocking?: boolean
}

const ULONG = 'usize'
const OCTETS = 'buffer'
const ULONG_OCTETS = 8
/** CK_ATTRIBUTE and CK_MECHANISM: a type, an address and a length. */
const TRIPLE_OCTETS = 3 * ULONG_OCTETS
/** CK_VERSION, padded. */
const LIST_HEADER_OCTETS = 8

/** Index in CK_FUNCTION_LIST and parameters of each function that is used. */
const FUNCTIONS = {
  C_Initialize: { index: 0, parameters: [OCTETS] },
  C_Finalize: { index: 1, parameters: [OCTETS] },
  C_GetSlotList: { index: 4, parameters: [ULONG, OCTETS, OCTETS] },
  C_GetTokenInfo: { index: 6, parameters: [ULONG, OCTETS] },
  C_OpenSession: { index: 12, parameters: [ULONG, ULONG, OCTETS, OCTETS, OCTETS] },
  C_CloseAllSessions: { index: 14, parameters: [ULONG] },
  C_Login: { index: 18, parameters: [ULONG, ULONG, OCTETS, ULONG] },
  C_GetAttributeValue: { index: 24, parameters: [ULONG, ULONG, OCTETS, ULONG] },
  C_FindObjectsInit: { index: 26, parameters: [ULONG, OCTETS, ULONG] },
  C_FindObjects: { index: 27, parameters: [ULONG, OCTETS, ULONG, OCTETS] },
  C_FindObjectsFinal: { index: 28, parameters: [ULONG] },
  C_SignInit: { index: 42, parameters: [ULONG, OCTETS, ULONG] },
  C_Sign: { index: 43, parameters: [ULONG, OCTETS, ULONG, OCTETS, OCTETS] },
} as const satisfies Record<string, { index: number; parameters: Signature['parameters'] }>

type FunctionName = keyof typeof FUNCTIONS
type Value = bigint | number | Uint8Array | null
type Functions = Record<FunctionName, (...values: readonly Value[]) => Promise<bigint>>

/** CK_RV values (PKCS #11 2.40, 2.1). */
const OK = 0n
const ALREADY_INITIALIZED = 0x191n
const ALREADY_LOGGED_IN = 0x100n

/** A function of the module returned an error. */
export class Pkcs11Error extends Error {
  override readonly name = 'Pkcs11Error'
  /** CK_RV, such as 0xa0 (CKR_PIN_INCORRECT). */
  readonly code: bigint

  constructor(called: string, code: bigint) {
    super(`${called} returned 0x${code.toString(16)}`)
    this.code = code
  }
}

/** An attribute to search for (CK_ATTRIBUTE): its type and its value. */
export type Attribute = readonly [type: number, value: Uint8Array]

/** A mechanism (CK_MECHANISM): its type and its parameter. */
export interface Mechanism {
  type: number
  parameter?: Uint8Array
}

/** Encodes unsigned longs, as attributes and parameters contain them. */
export function ulongs(...values: readonly (number | bigint)[]): Buffer {
  const octets = Buffer.alloc(values.length * ULONG_OCTETS)
  values.forEach((value, index) => octets.writeBigUInt64LE(BigInt(value), index * ULONG_OCTETS))
  return octets
}

/** A loaded module. Calls must not overlap in one session. */
export class Pkcs11Module {
  readonly #ffi: ForeignFunctions
  readonly #functions: Functions
  /** Buffers of running calls: the module knows their addresses, so they must stay in memory. */
  readonly #used = new Set<readonly Value[]>()

  /**
   * @param path absolute path of the shared library
   * @throws Error when it is not a PKCS #11 module, or when the runtime is not Deno
   */
  constructor(path: string) {
    const ffi = (globalThis as { Deno?: ForeignFunctions }).Deno
    if (!ffi) throw new Error('PKCS #11 modules are called from Deno only')
    this.#ffi = ffi
    const { symbols } = ffi.dlopen(path, {
      C_GetFunctionList: { parameters: [OCTETS], result: ULONG },
    })
    const list = Buffer.alloc(ULONG_OCTETS)
    const code = symbols.C_GetFunctionList(list)
    if (code !== OK) throw new Pkcs11Error('C_GetFunctionList', code)
    const table = new ffi.UnsafePointerView(this.#pointer(list.readBigUInt64LE()))
    const names = Object.keys(FUNCTIONS) as FunctionName[]
    const bound = names.map((name) => [name, this.#bind(name, table)] as const)
    this.#functions = Object.fromEntries(bound) as Functions
  }

  /** @throws Pkcs11Error */
  async initialize(): Promise<void> {
    await this.#call('C_Initialize', [null], [ALREADY_INITIALIZED])
  }

  /** Ends the use of the module. @throws Pkcs11Error */
  async finalize(): Promise<void> {
    await this.#call('C_Finalize', [null])
  }

  /** Returns the slots with a token. @throws Pkcs11Error */
  async slots(): Promise<bigint[]> {
    const count = ulongs(0)
    await this.#call('C_GetSlotList', [1, null, count])
    const slots = Buffer.alloc(Number(count.readBigUInt64LE()) * ULONG_OCTETS)
    await this.#call('C_GetSlotList', [1, slots, count])
    const found = Number(count.readBigUInt64LE())
    return Array.from({ length: found }, (_, at) => slots.readBigUInt64LE(at * ULONG_OCTETS))
  }

  /** Returns the label of the token in a slot. @throws Pkcs11Error */
  async tokenLabel(slot: bigint): Promise<string> {
    // CK_TOKEN_INFO begins with the label: 32 octets of UTF-8, filled with blanks.
    const info = Buffer.alloc(512)
    await this.#call('C_GetTokenInfo', [slot, info])
    return info.subarray(0, 32).toString('utf8').trimEnd()
  }

  /**
   * Opens a session that cannot change the token, and logs in as its user.
   *
   * @throws Pkcs11Error
   */
  async openSession(slot: bigint, pin: Uint8Array): Promise<bigint> {
    const SERIAL_SESSION = 4
    const USER = 1
    const session = ulongs(0)
    await this.#call('C_OpenSession', [slot, SERIAL_SESSION, null, null, session])
    const handle = session.readBigUInt64LE()
    try {
      await this.#call('C_Login', [handle, USER, pin, pin.length], [ALREADY_LOGGED_IN])
    } catch (error) {
      // A token has few sessions. The error of the login counts.
      await this.closeSessions(slot).catch(() => undefined)
      throw error
    }
    return handle
  }

  /** Closes all sessions with the token in a slot. @throws Pkcs11Error */
  async closeSessions(slot: bigint): Promise<void> {
    await this.#call('C_CloseAllSessions', [slot])
  }

  /** Returns the objects that have all attributes. @throws Pkcs11Error */
  async find(session: bigint, attributes: readonly Attribute[], limit: number): Promise<bigint[]> {
    const objects = Buffer.alloc(limit * ULONG_OCTETS)
    const count = ulongs(0)
    const template = this.#template(attributes)
    await this.#call('C_FindObjectsInit', [session, template, attributes.length])
    await this.#call('C_FindObjects', [session, objects, limit, count])
    await this.#call('C_FindObjectsFinal', [session])
    const found = Number(count.readBigUInt64LE())
    return Array.from({ length: found }, (_, at) => objects.readBigUInt64LE(at * ULONG_OCTETS))
  }

  /** Returns the value of an attribute. @throws Pkcs11Error also when the object lacks it */
  async attribute(session: bigint, object: bigint, type: number): Promise<Buffer> {
    const asked = ulongs(type, 0, 0)
    await this.#call('C_GetAttributeValue', [session, object, asked, 1])
    const value = Buffer.alloc(Number(asked.readBigUInt64LE(2 * ULONG_OCTETS)))
    const template = this.#template([[type, value]])
    await this.#call('C_GetAttributeValue', [session, object, template, 1])
    return template.subarray(TRIPLE_OCTETS)
  }

  /** Signs data of one part. @throws Pkcs11Error */
  async sign(
    session: bigint,
    key: bigint,
    { type, parameter = new Uint8Array() }: Mechanism,
    data: Uint8Array,
  ): Promise<Buffer> {
    const LARGEST_OCTETS = 1024
    const signature = Buffer.alloc(LARGEST_OCTETS)
    const length = ulongs(signature.length)
    await this.#call('C_SignInit', [session, this.#template([[type, parameter]]), key])
    await this.#call('C_Sign', [session, data, data.length, signature, length])
    return signature.subarray(0, Number(length.readBigUInt64LE()))
  }

  async #call(
    name: FunctionName,
    values: readonly Value[],
    permitted: readonly bigint[] = [],
  ): Promise<void> {
    this.#used.add(values)
    const code = await this.#functions[name](...values).finally(() => this.#used.delete(values))
    if (code !== OK && !permitted.includes(code)) throw new Pkcs11Error(name, code)
  }

  #bind(name: FunctionName, table: { getBigUint64(offset: number): bigint }) {
    const { index, parameters } = FUNCTIONS[name]
    const address = table.getBigUint64(LIST_HEADER_OCTETS + index * ULONG_OCTETS)
    const bound = new this.#ffi.UnsafeFnPointer(this.#pointer(address), {
      parameters,
      result: ULONG,
      nonblocking: true,
    })
    return (...values: readonly Value[]) =>
      bound.call(...values.map((value) => (typeof value === 'number' ? BigInt(value) : value)))
  }

  #pointer(address: bigint): object {
    const pointer = this.#ffi.UnsafePointer.create(address)
    if (!pointer) throw new Error('the PKCS #11 module lacks a function')
    return pointer
  }

  /**
   * Encodes types with the addresses and lengths of their values. The values follow in the same
   * buffer, so they live as long as it does.
   */
  #template(entries: readonly Attribute[]): Buffer {
    const heads = entries.length * TRIPLE_OCTETS
    const octets = Buffer.concat([Buffer.alloc(heads), ...entries.map(([, value]) => value)])
    const { UnsafePointer } = this.#ffi
    const base = UnsafePointer.value(UnsafePointer.of(octets))
    let end = heads
    entries.forEach(([type, { length }], index) => {
      const address = length === 0 ? 0n : base + BigInt(end)
      ulongs(type, address, length).copy(octets, index * TRIPLE_OCTETS)
      end += length
    })
    return octets
  }
}
