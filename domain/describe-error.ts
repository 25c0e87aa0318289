/** Formats errors for the log, without the query of any URL. */

/** Limits the chain of causes. */
const MAXIMUM_CAUSES = 4
const QUERY = /\?[^\s'"]+/g

/** Error messages contain URLs, and the query of a presigned URL gives access to its object. */
const withoutQueries = (text: string) => text.replace(QUERY, '?…')

export interface ErrorDescription {
  type: string
  message: string
  stack: string
  code?: unknown
  cause?: ErrorDescription
}

/** @param causes maximum number of nested causes */
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
