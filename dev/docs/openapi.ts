/** The parts of an OpenAPI 3.1 document that the pages of the API show. */

/** JSON Schema, as `api/openapi.json` uses it. */
export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  format?: string
  description?: string
  readonly enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  deprecated?: boolean
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** A body in one media type. */
export interface Media {
  schema?: Schema
  example?: unknown
}

/** A reference to a response, or the response. */
export interface ApiResponse {
  $ref?: string
  description?: string
  content?: Readonly<Record<string, Media>>
}

/** A parameter of a path, query or header. */
export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
}

/** An operation. */
export interface Operation {
  summary: string
  description?: string
  tags: readonly string[]
  security?: readonly Readonly<Record<string, unknown>>[]
  parameters?: readonly Parameter[]
  requestBody?: { description?: string; content: Readonly<Record<string, Media>> }
  responses: Readonly<Record<string, ApiResponse>>
}

/** Operations of a path, by lower-case method. */
export type PathItem = Readonly<Record<string, Operation>>

/** The document. */
export interface OpenApiDocument {
  info: { title: string; version: string; description: string }
  tags: readonly { name: string; description: string }[]
  paths: Readonly<Record<string, PathItem>>
  webhooks: Readonly<Record<string, PathItem>>
  components: {
    schemas: Readonly<Record<string, Schema>>
    responses: Readonly<Record<string, ApiResponse>>
    securitySchemes: Readonly<Record<string, { description?: string }>>
  }
}
