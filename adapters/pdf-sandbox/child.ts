/**
 * Reads documents from its parent, one after the other, and judges them, in a Deno process that may
 * read fonts and nothing else. It ends after the first one that it does not judge to be good, and
 * when it has used much memory or CPU time.
 */
import { Buffer } from 'node:buffer'
import { writeSync } from 'node:fs'
import process from 'node:process'
import { decode, encode, type SandboxAnswer, type SandboxTask } from './frames.ts'
import { judge, ROOM_BYTES } from './judge.ts'
import { mayReadAnother } from './kept-usage.ts'
import { readPart } from './read-part.ts'

/** The event loop ran empty before an answer was written: there will be none. */
const STUCK: SandboxAnswer = { outcome: 'broke', fault: 'the reading waits for nothing' }

const STDOUT = 1
let isAnswered = true

/** Writes all of it before it returns, because reading the next document stops the event loop. */
function write(text: string): void {
  const octets = Buffer.from(text)
  for (let written = 0; written < octets.length;) written += writeSync(STDOUT, octets, written)
}

/** @returns whether the answer is good, so that this process may read another document */
function answer(content: SandboxAnswer): boolean {
  isAnswered = true
  const isGood = content.outcome === 'inspected' || content.outcome === 'validated'
  write(isGood ? `${encode(content)}\n` : encode(content))
  return isGood
}

async function run(): Promise<void> {
  for (;;) {
    const task = readPart()
    const roomy = task && readPart(ROOM_BYTES)
    if (!roomy) return
    isAnswered = false
    if (!answer(await judge(decode<SandboxTask>(task.toString()), roomy))) return
    const residentBytes = process.memoryUsage().rss
    if (!mayReadAnother({ residentBytes, cpu: process.cpuUsage() })) return
  }
}

process.on('beforeExit', () => {
  if (!isAnswered) answer(STUCK)
})
void run()
