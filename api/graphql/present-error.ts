/** Errors of GraphQL requests as clients see them. */
import type { FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import { presentError } from '../errors.ts'

/** Presents an error of a whole request, or of the part at `path`. */
export function presentGraphqlError(
  { message, path, originalError }: GraphQLError,
  request: Pick<FastifyRequest, 'log'>,
) {
  const isOwn = originalError === undefined || originalError instanceof GraphQLError
  return {
    ...(isOwn ? { message } : presentError(originalError, request)),
    ...(path === undefined ? {} : { path: [...path] }),
  }
}
