/** Formats errors for the log, without the query of any URL. */

/** Limits the chain of causes. */
const MAXIMUM_CAUSES = 4
/** Limits the errors of one error. */
const MAXIMUM_ERRORS = 4
const QUERY = /\?[^\s'"]+/g

/** Error messages contain URLs, and the query of a presigned URL gives access to its object. */
const withoutQueries = (text: string) => text.replace(QUERY, '?…')

/** A connection to several addresses, such as those of `localhost`, fails without a message. */
function messageOf(error: Error): string {
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message
  const errors = error.errors.slice(0, MAXIMUM_ERRORS) as unknown[]
  return errors.map((one) => (one instanceof Error ? one.message : String(one))).join('; ')
}

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
  const { name, stack = '', cause } = known
  return {
    type: name,
    message: withoutQueries(messageOf(known)),
    stack: withoutQueries(stack),
    ...('code' in known ? { code: known.code } : {}),
    ...(cause === undefined || causes === 0 ? {} : { cause: describeError(cause, causes - 1) }),
  }
}
