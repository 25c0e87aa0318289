/** Small schemas that several responses share. */
import { Type, type TSchema } from '@sinclair/typebox'
import { MULTI_FACTOR_TYPES } from '../cases/definition.ts'
import { PHASES } from '../cases/status.ts'
import { stringEnum } from '../schema-parts.ts'

/** Marks a member of a response as optional. */
export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
/** Returns the schema of a text. */
export const string = (description: string) => Type.String({ description })
/** Returns the schema of a digest in hex. @param what the digested data, for the description */
export const hexDigest = (what: string) => string(`SHA-256 of ${what}, lower-case hexadecimal`)
/** Returns the schema of the status of a case. */
export const caseStatus = () => stringEnum(PHASES, { description: 'Status of the case' })
/** Returns the schema of the channel of one-time codes. */
export const multiFactorType = () =>
  optional(
    stringEnum(MULTI_FACTOR_TYPES, {
      description: 'Channel of the one-time codes; absent when the case needs no code',
    }),
  )
/** Returns the schema of the permission to choose a place. */
export const ownPlaces = () =>
  Type.Boolean({ description: 'Whether participants may choose where they sign' })
/** Returns the schema of the cursor of the next page. */
export const nextCursor = () =>
  optional(string('Value of `cursor` for the next page; set while more items remain'))
