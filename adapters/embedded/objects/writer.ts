/**
 * Sends writes to the thread that commits them. While one transaction is committed, further writes
 * wait and become the next one, so writers share the synchronisation with the disk.
 */
import { Worker } from 'node:worker_threads'
import type { Faults } from '../../../domain/fault-log.ts'
import { faultOf, type Outcome, type Tidied, type Write } from './transactions.ts'

/** Bounds the octets of one transaction together with the largest row. */
const MAXIMUM_BATCH = 64

interface Waiting {
  write: Write
  resolve: (isDone: boolean) => void
  reject: (error: unknown) => void
}

const buffersOf = ({ write }: Waiting) =>
  write.kind === 'put' && write.object.bytes ? [write.object.bytes.buffer as ArrayBuffer] : []

export class ObjectWriter {
  readonly #folder: string
  readonly #faults: Faults | undefined
  #worker: Worker | undefined
  readonly #waiting: Waiting[] = []
  /** The writes that the thread commits now. */
  #sent: Waiting[] = []
  #isScheduled = false

  /**
   * @param folder of the store, whose database exists
   * @param faults learns whether removed bytes are overwritten
   */
  constructor(folder: string, faults?: Faults) {
    this.#folder = folder
    this.#faults = faults
  }

  /**
   * Writes durably. The bytes of the object are moved to the thread, so the caller gives its own
   * copy.
   *
   * @returns whether the object was written
   * @throws ServiceError TIMEOUT when the disk is full
   */
  write(write: Write): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject })
      if (this.#isScheduled || this.#sent.length > 0) return
      this.#isScheduled = true
      // Writes that the same turn of the event loop makes share a transaction.
      setImmediate(() => {
        this.#isScheduled = false
        if (this.#sent.length === 0) this.#send()
      })
    })
  }

  /** Ends the thread after its work. Call it when all writes have ended. */
  async close(): Promise<void> {
    const worker = this.#worker
    if (!worker) return
    this.#worker = undefined
    worker.ref()
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage('close')
    await ended
  }

  #send(): void {
    if (this.#waiting.length === 0) return
    this.#sent = this.#waiting.splice(0, MAXIMUM_BATCH)
    this.#worker ??= this.#start()
    // The process must not end before the answer.
    this.#worker.ref()
    const writes = this.#sent.map(({ write }) => write)
    this.#worker.postMessage(writes, this.#sent.flatMap(buffersOf))
  }

  #start(): Worker {
    // Options of the process, such as `--input-type`, need not suit the file of the thread.
    const options = { workerData: this.#folder, execArgv: [] }
    const worker = new Worker(new URL('thread.ts', import.meta.url), options)
    worker.on('message', (answer: Outcome[] | Tidied) => {
      if (!Array.isArray(answer)) return this.#report(answer)
      const outcomes = answer
      const sent = this.#sent
      this.#sent = []
      for (const [index, { resolve, reject }] of sent.entries()) {
        const outcome = outcomes[index] as Outcome
        if ('isDone' in outcome) resolve(outcome.isDone)
        else reject(faultOf(outcome))
      }
      if (this.#waiting.length > 0) this.#send()
      // A thread that ends keeps the process alive until it has ended.
      else if (this.#worker === worker) worker.unref()
    })
    worker.on('error', (error) => this.#fail(worker, error))
    worker.on('exit', () => this.#fail(worker, new Error('the thread that writes objects ended')))
    return worker
  }

  #report(answer: Tidied): void {
    if ('error' in answer) this.#faults?.failed(answer.error)
    else this.#faults?.succeeded()
  }

  /** The next write starts another thread. */
  #fail(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    const failed = [...this.#sent, ...this.#waiting.splice(0)]
    this.#sent = []
    for (const { reject } of failed) reject(error)
  }
}
