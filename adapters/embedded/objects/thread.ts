/**
 * The thread that writes objects, so that the event loop of the service does not wait for the disk.
 * A message has writes that are committed together; the answer has their outcomes.
 */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { openObjectDatabase } from './rows.ts'
import { ObjectTransactions, type Write } from './transactions.ts'

/** Removed bytes are in the log for at most about this long. */
const TIDY_AFTER_MS = 10_000

const port = parentPort as MessagePort
const folder = workerData as string
const database = openObjectDatabase(folder)
const transactions = new ObjectTransactions(folder, database)
let tidying: NodeJS.Timeout | undefined

function tidy(): void {
  tidying = undefined
  try {
    transactions.tidy()
  } catch {
    // Another process holds the database, or the disk is full: tried again after the next write,
    // and at the next start.
  }
}

/** @param writes 'close' ends the thread */
function receive(writes: Write[] | 'close'): void {
  if (writes === 'close') {
    clearTimeout(tidying)
    tidy()
    database.close()
    port.close()
    return
  }
  port.postMessage(transactions.commit(writes))
  if (transactions.isUntidy) tidying ??= setTimeout(tidy, TIDY_AFTER_MS)
}

port.on('message', receive)
