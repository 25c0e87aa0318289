/** Runs what is in the editors, and keeps the results. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { getOperationAST, parse } from 'graphql'
import { runQuery, runSubscription, type Operation } from './execute.ts'

/** Results of a subscription that the page keeps. */
const MAXIMUM_RESULTS = 50

export type RunState = 'idle' | 'running' | 'subscribed' | 'ended' | 'notJson' | 'failed'

/** @returns undefined when the text is not an object */
function variablesIn(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** A document that does not parse is sent as a query: the service says what is wrong. */
function isSubscription(query: string): boolean {
  try {
    return getOperationAST(parse(query))?.operation === 'subscription'
  } catch {
    return false
  }
}

/** @param token of the tenant; the empty text when there is none */
export function useRun(token: string) {
  const [state, setState] = useState<RunState>('idle')
  const [results, setResults] = useState<readonly unknown[]>([])
  const stopRunning = useRef<() => void>(undefined)
  const stop = () => {
    stopRunning.current?.()
    stopRunning.current = undefined
  }
  useEffect(() => stop, [])

  const add = (result: unknown) =>
    setResults((earlier) => [result, ...earlier].slice(0, MAXIMUM_RESULTS))

  const subscribe = (operation: Operation) => {
    setState('subscribed')
    stopRunning.current = runSubscription(operation, token, {
      onResult: add,
      onEnd: (fault) => {
        if (fault !== undefined) add(fault)
        setState('ended')
      },
    })
  }

  const run = async (query: string, variablesText: string) => {
    stop()
    setResults([])
    const variables = variablesIn(variablesText)
    if (!variables) return setState('notJson')
    if (isSubscription(query)) return subscribe({ query, variables })
    setState('running')
    const isLatest = { value: true }
    stopRunning.current = () => {
      isLatest.value = false
    }
    try {
      const result = await runQuery({ query, variables }, token)
      if (!isLatest.value) return undefined
      add(result)
      return setState('idle')
    } catch {
      return isLatest.value ? setState('failed') : undefined
    }
  }
  return { state, results, run, stop }
}
