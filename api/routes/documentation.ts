/** OpenAPI 3.1 made from the routes' schemas. */
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { deviceCookieName } from '../devices/authentication.ts'
import { withErrorResponses } from '../document/refusals.ts'
import { documentInfo } from '../document/introduction.ts'
import { withRequestIds } from '../document/request-id.ts'
import { withOperationTexts } from '../document/operations.ts'
import { withWebhooks } from '../document/webhooks.ts'
import { NAMED_SCHEMAS } from '../named-schemas.ts'
import { isOptional } from '../optional-bodies.ts'
import { publicDocument } from '../public-document.ts'
import { RULE_KEYWORDS } from '../validation.ts'

const securitySchemes = (baseUrl: string) =>
  ({
    tenant: {
      type: 'http',
      scheme: 'bearer',
      description: "A tenant's identity token",
    },
    signingLink: {
      type: 'http',
      scheme: 'bearer',
      description: 'The token of a signing link: what follows `#` in it',
    },
    device: {
      type: 'http',
      scheme: 'bearer',
      description: "A kiosk's token, shown once by its registration",
    },
    deviceCookie: {
      type: 'apiKey',
      in: 'cookie',
      name: deviceCookieName({ baseUrl }),
      description:
        'The cookie that `POST /kiosk/pair` gives for the token; over https its name begins with ' +
        '`__Host-`',
    },
  }) as const

interface Operation {
  requestBody?: {
    required: boolean
    description?: string
    content: Record<string, { schema: { required?: unknown } }>
  }
}

/**
 * A body of which nothing is required may be left out; the plugin calls every body required, and
 * repeats the description of its schema, which readers would see twice.
 */
function correctBodies(document: { paths?: object }): void {
  const operations = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path))
  for (const { requestBody } of operations as Operation[]) {
    if (!requestBody) continue
    const schemas = Object.values(requestBody.content).map(({ schema }) => schema)
    delete requestBody.description
    requestBody.required = !schemas.every(isOptional)
  }
}

/** Collects the routes that are declared after it. */
export async function documentRoutes(app: FastifyInstance, baseUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: documentInfo(baseUrl),
      servers: [{ url: baseUrl }],
      components: { securitySchemes: securitySchemes(baseUrl) },
    },
    transformObject(document) {
      const openapi = 'openapiObject' in document ? document.openapiObject : document.swaggerObject
      correctBodies(openapi)
      const answers = withRequestIds(withErrorResponses(openapi as object))
      const described = withWebhooks(withOperationTexts(answers))
      return publicDocument(described, RULE_KEYWORDS, NAMED_SCHEMAS) as typeof openapi
    },
  })
  let text: string | undefined
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    text ??= JSON.stringify(app.swagger())
    return reply.type('application/json; charset=utf-8').send(text)
  })
}
