/** The API: REST routes with their documentation, over the ports that it is given. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { LogController, type FastifyInstance } from 'fastify'
import { FairQueue } from '../application/limits/fair-queue.ts'
import { describeError } from '../domain/describe-error.ts'
import { answerHeaders } from './answer-headers.ts'
import { endConnections } from './connections.ts'
import type { ApiDeps } from './deps.ts'
import {
  answerBrokenRequest,
  answerUnknownPath,
  handleErrors,
  refuseUnknownPaths,
} from './errors.ts'
import { refuseAmbiguousHeaders } from './header-rules.ts'
import { takeJsonBodies } from './json-body.ts'
import {
  describeRequest,
  logAnswer,
  REQUEST_ID_HEADER,
  REQUEST_ID_MEMBER,
  requestIdOf,
  addRequestIdHeader,
} from './logging.ts'
import { measureRequests } from './metrics.ts'
import { acceptAbsentBodies } from './optional-bodies.ts'
import { recordRoutes } from './other-methods.ts'
import { LISTING_TURNS } from './present/cases.ts'
import { limitTime } from './request-budget.ts'
import { caseActionRoutes } from './routes/case-actions.ts'
import { caseListRoutes } from './routes/case-list.ts'
import { caseRoutes } from './routes/cases.ts'
import { codeRoutes } from './routes/codes.ts'
import { consoleRoutes } from './routes/console-sign-in.ts'
import { brandingRoutes } from './routes/branding.ts'
import { declineRoutes } from './routes/decline.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { deviceRoutes } from './routes/devices.ts'
import { documentRoutes } from './routes/documentation.ts'
import { eventRoutes } from './routes/events.ts'
import { isSocketRequest } from './routes/graphql-socket.ts'
import { graphqlRoutes } from './routes/graphql.ts'
import { healthRoutes } from './routes/health.ts'
import { kioskRoutes } from './routes/kiosk.ts'
import { mailboxRoutes } from './routes/mailbox.ts'
import { objectRoutes } from './routes/objects.ts'
import { pageRoutes } from './routes/pages.ts'
import { pkiRoutes } from './routes/pki.ts'
import { participantRoutes } from './routes/participant.ts'
import { referenceRoutes } from './routes/reference.ts'
import { uploadNotificationRoutes } from './routes/upload-notifications.ts'
import { verificationRoutes } from './routes/verification.ts'
import { webhookEventRoutes } from './routes/webhook-events.ts'
import { traceRequests } from './tracing.ts'
import { limitUnreadAnswers } from './unread-answers.ts'
import { ajvOptions } from './validation.ts'

const REQUEST_BUDGET_MS = 25_000
/** Until then a request has come whole, its body included: a PDF of 25 MB at 0.7 Mbit/s. */
const RECEIVE_LIMIT_MS = 5 * 60_000
/** A connection without traffic for this time is closed, during a request or between two. */
const IDLE_LIMIT_MS = 2 * 60_000
const BODY_LIMIT_BYTES = 64 * 1024
/** As long as Node lets a path be: a long id is one that names nothing, and not another path. */
const PATH_PARAMETER_LIMIT = 16 * 1024
/** More than a request may take. */
const CLOSE_GRACE_MS = 26_000

/** Fastify looks for a plugin without this name among all modules that are loaded. */
const named = <Plugin extends object>(plugin: Plugin): Plugin =>
  Object.assign(plugin, { [Symbol.for('fastify.display-name')]: 'routes' })

async function registerRoutes(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  await documentRoutes(app, deps.baseUrl)
  const listing = { ...deps, listings: new FairQueue(LISTING_TURNS) }
  const always = [
    healthRoutes(deps),
    pkiRoutes(deps),
    caseRoutes(deps),
    caseListRoutes(listing),
    caseActionRoutes(deps),
    eventRoutes(deps),
    deliveryRoutes(deps),
    webhookEventRoutes(deps),
    participantRoutes(deps),
    deviceRoutes(deps),
    kioskRoutes(deps),
    codeRoutes(deps),
    brandingRoutes(deps),
    declineRoutes(deps),
    verificationRoutes(deps),
    graphqlRoutes(listing),
  ]
  for (const routes of always) await app.register(named(routes))
  const { uploadNotifications } = deps
  if (uploadNotifications) {
    await app.register(uploadNotificationRoutes(deps, uploadNotifications))
  }
  if (deps.objectHandler) await app.register(objectRoutes(deps.objectHandler, deps))
  if (deps.mailbox) await app.register(mailboxRoutes(deps.mailbox))
  const { pagesFolder: folder, objectsOrigin, embedding, consoleSignIn } = deps
  if (folder !== undefined) {
    const withMailbox = deps.mailbox !== undefined
    const options = { folder, withMailbox, objectsOrigin, embedding, consoleSignIn }
    await app.register(pageRoutes(options))
    await app.register(consoleRoutes(deps))
    await referenceRoutes(app, folder)
  }
}

/** Builds the API, which does not listen yet. */
export async function buildApi(deps: ApiDeps): Promise<FastifyInstance> {
  const { trustedProxies, logLevel, logStream, now } = deps
  const { requestBudgetMs = REQUEST_BUDGET_MS, closeGraceMs = CLOSE_GRACE_MS } = deps
  const { isDraining = () => false } = deps
  const headers = answerHeaders(deps.baseUrl)
  const app = Fastify({
    logger: {
      level: logLevel,
      serializers: { req: describeRequest, err: (error) => ({ ...describeError(error) }) },
      ...(logStream ? { stream: logStream } : {}),
    },
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: REQUEST_ID_MEMBER,
    }),
    genReqId: requestIdOf,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: PATH_PARAMETER_LIMIT },
    requestTimeout: RECEIVE_LIMIT_MS,
    connectionTimeout: IDLE_LIMIT_MS,
    clientErrorHandler: (error, socket) =>
      answerBrokenRequest(error, socket, { now: now(), headers }),
    // `endConnections` closes them, and late requests on open connections are served.
    forceCloseConnections: false,
    return503OnClosing: false,
    // Node's own answer has no shape; the rules on headers have one.
    http: { requireHostHeader: false, shouldUpgradeCallback: isSocketRequest },
    ajv: ajvOptions(now),
    ...(deps.schemaController ? { schemaController: deps.schemaController } : {}),
    frameworkErrors: (_error, request, reply) =>
      answerUnknownPath(reply.headers({ ...headers, [REQUEST_ID_HEADER]: request.id })) as never,
  }).withTypeProvider<TypeBoxTypeProvider>()
  endConnections(app, { isDraining, graceMs: closeGraceMs })
  limitUnreadAnswers(app, deps.maximumUnreadBytes)
  takeJsonBodies(app)
  acceptAbsentBodies(app)
  handleErrors(app)
  limitTime(app, requestBudgetMs)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
  addRequestIdHeader(app)
  measureRequests(app, deps.metrics)
  traceRequests(app, deps.tracer)
  refuseAmbiguousHeaders(app)
  refuseUnknownPaths(app)
  app.addHook('onResponse', (request, reply, done) => {
    logAnswer(request, reply)
    done()
  })
  const answerOtherMethods = recordRoutes(app)
  await registerRoutes(app, deps)
  answerOtherMethods()
  return app
}
