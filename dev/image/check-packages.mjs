/**
 * Imports the packages of an image of which `keep-what-runs.sh` removes a part, so that the build
 * fails when a new version of a package needs that part. Run it in the folder of the image.
 */
const REDUCED = [
  '@kubernetes/client-node/dist/config.js',
  '@kubernetes/client-node/dist/watch.js',
  '@kubernetes/client-node/dist/gen/http/http.js',
  'harfbuzzjs',
  'bidi-js',
  '@fastify/type-provider-typebox',
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@sinclair/typebox',
  '@sinclair/typebox/value',
  // Requires luxon and msgpackr.
  'bullmq',
  // Imports culori.
  'pdf-lib',
  '@fastify/swagger',
  'graphql',
  'graphql-ws',
  '@fastify/websocket',
  'mercurius',
  'nodemailer',
  'xadesjs',
  // Requires the API of OpenTelemetry, and has fetch-blob for the streams.
  '@google-cloud/kms',
  '@google-cloud/storage',
]

for (const name of REDUCED) await import(name)
