/**
 * The thread that writes objects, so that the event loop of the service does not wait for the disk.
 * A message has writes that are committed together; the answer has their outcomes. Between them it
 * says whether removed bytes were overwritten.
 */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { openObjectDatabase } from './rows.ts'
import { ObjectTransactions, type Tidied, type Write } from './transactions.ts'

/** Removed bytes are in the log for at most about this long. */
const TIDY_AFTER_MS = 10_000

const port = parentPort as MessagePort
const folder = workerData as string
const database = openObjectDatabase(folder)
const transactions = new ObjectTransactions(folder, database)
let tidying: NodeJS.Timeout | undefined

/** What fails is tried again later: another process holds the database, or the disk is full. */
function tidy(): void {
  tidying = undefined
  let answer: Tidied = { tidied: true }
  try {
    transactions.tidy()
    if (transactions.isUntidy)
      answer = { error: new Error('another connection reads the database') }
  } catch (error) {
    // The next start does it, if this thread ends before.
    answer = { error }
  }
  port.postMessage(answer)
}

function tidyLater(): void {
  if (!transactions.isUntidy) return
  tidying ??= setTimeout(() => {
    tidy()
    tidyLater()
  }, TIDY_AFTER_MS)
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
  tidyLater()
}

port.on('message', receive)
