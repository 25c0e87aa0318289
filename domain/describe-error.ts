/** Errors as they may stand in a log: never the query of an address. */

/** A chain of causes ends somewhere. */
const MAXIMUM_CAUSES = 4
const QUERY = /\?[^\s'"]+/g

/** Messages of the framework name addresses; the query of a presigned one opens its object. */
const withoutQueries = (text: string) => text.replace(QUERY, '?…')

export interface ErrorDescription {
  type: string
  message: string
  stack: string
  code?: unknown
  cause?: ErrorDescription
}

/** @param causes how many causes may follow */
export function describeError(error: unknown, causes = MAXIMUM_CAUSES): ErrorDescription {
  const known = error instanceof Error ? error : new Error(String(error))
  const { name, message, stack = '', cause } = known
  return {
    type: name,
    message: withoutQueries(message),
    stack: withoutQueries(stack),
    ...('code' in known ? { code: known.code } : {}),
    ...(cause === undefined || causes === 0 ? {} : { cause: describeError(cause, causes - 1) }),
  }
}
