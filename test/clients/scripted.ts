/** A server that gives scripted answers, for what a healthy service does not do. */
import type { RequestListener } from 'node:http'
import type { Test } from 'tap'
import { httpReceiver, type ReceivedRequest } from '../fixtures/receiver.ts'

export interface ScriptedAnswer {
  /** 0: the connection is cut without an answer. */
  status: number
  headers?: Record<string, string>
  body?: unknown
}

/**
 * Starts a server that gives these answers in order, and the last one for every further request.
 *
 * @returns its URL and the requests
 */
export async function scriptedServer(
  t: Test,
  answers: readonly [ScriptedAnswer, ...ScriptedAnswer[]],
): Promise<{ url: string; requests: ReceivedRequest[] }> {
  let count = 0
  const answer: RequestListener = (request, response) => {
    const { status, headers, body } = answers[count++] ?? (answers.at(-1) as ScriptedAnswer)
    if (status === 0) return void request.socket.destroy()
    const isText = typeof body === 'string'
    response.writeHead(status, {
      'content-type': isText ? 'text/plain' : 'application/json',
      ...headers,
    })
    response.end(body === undefined || isText ? body : JSON.stringify(body))
  }
  const receiver = await httpReceiver(answer)
  t.teardown(() => receiver.close())
  return { url: `http://127.0.0.1:${receiver.port}`, requests: receiver.requests }
}
