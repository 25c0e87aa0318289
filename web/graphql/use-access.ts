/** The token of the page, which only its memory has, and the schema that is read with it. */
import { useEffect, useState } from 'preact/hooks'
import type { GraphQLSchema } from 'graphql'
import { issueToken, readSchema } from './execute.ts'

/** @returns the token, how to change it, and its schema or what went wrong */
export function useAccess() {
  const [token, setToken] = useState('')
  const [schema, setSchema] = useState<GraphQLSchema>()
  const [fault, setFault] = useState<'noToken' | 'noSchema'>()

  useEffect(() => {
    const isLatest = { value: true }
    setFault(undefined)
    setSchema(undefined)
    if (token === '') return undefined
    readSchema(token)
      .catch(() => undefined)
      .then((next) => {
        if (!isLatest.value) return
        setSchema(next)
        if (!next) setFault('noSchema')
      })
    return () => {
      isLatest.value = false
    }
  }, [token])

  const issue = async (tenant: string) => {
    const issued = await issueToken(tenant).catch(() => undefined)
    if (issued === undefined) return setFault('noToken')
    setFault(undefined)
    return setToken(issued)
  }
  return { token, setToken, issue, schema, fault }
}
