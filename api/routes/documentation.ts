/** OpenAPI 3.1 made from the routes' schemas, and a page to read it. */
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fastifyPlugin from 'fastify-plugin'

export const OPENAPI_INFO = {
  title: 'sigcase',
  version: '0.1.0',
  description: 'Electronic-signature cases: a PDF and people in, a signed PDF and evidence out',
}

export const documentation = (baseUrl: string) =>
  fastifyPlugin(async (app) => {
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: OPENAPI_INFO,
        servers: [{ url: baseUrl }],
        components: {
          securitySchemes: {
            tenant: { type: 'http', scheme: 'bearer', description: "A tenant's identity token" },
            signingLink: {
              type: 'http',
              scheme: 'bearer',
              description: 'The token of a signing link',
            },
          },
        },
      },
    })
    await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true })
    app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  })
