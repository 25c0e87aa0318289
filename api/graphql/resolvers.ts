/** What GraphQL can be asked: the reading half of REST, by the same functions. */
import { CaseAnswer, EventAnswer, TrailFaultAnswer } from '../../domain/contract/answers.ts'
import { DeliveryAnswer } from '../../domain/contract/delivery-answers.ts'
import { PairedAnswer } from '../../domain/contract/device.ts'
import { CASE_SORTS } from '../../domain/ports/case-index.ts'
import { GraphQLError } from 'graphql'
import { NotFoundError } from '../../application/errors.ts'
import type { ApiDeps } from '../deps.ts'
import { listDeliveries } from '../../application/webhooks/list-deliveries.ts'
import { listDevices } from '../../application/kiosks/list-devices.ts'
import { listEvents } from '../../application/audit/list-events.ts'
import { presentCase, presentListedCase } from '../present/case.ts'
import {
  presentCases,
  type CaseSelection,
  type ListingCaller,
  type ListingDeps,
} from '../present/cases.ts'
import { presentDeliveries } from '../present/delivery.ts'
import { presentDevices } from '../present/device.ts'
import { readCase } from '../../application/cases/read-case.ts'
import type { CaseUpdate } from './update-source.ts'
import { typesOf } from './types.ts'

const SORT = `enum CaseSort { ${CASE_SORTS.join(' ')} }`

export const SCHEMA = `${typesOf({
  Case: CaseAnswer,
  Event: EventAnswer,
  TrailFault: TrailFaultAnswer,
  Delivery: DeliveryAnswer,
  Device: PairedAnswer,
})}
type CasePage { cases: [Case!]! nextCursor: String }
type EventPage { events: [Event!]! nextCursor: String trailFault: TrailFault }
type DevicePage { devices: [Device!]! nextCursor: String }

input CaseFilter {
  status: [String!]
  participantEmail: String
  createdFrom: String
  createdBefore: String
}
${SORT}

type Query {
  case(id: ID!): Case
  cases(
    status: String
    filter: CaseFilter
    search: String
    sort: CaseSort
    first: Int
    after: String
  ): CasePage
  events(caseId: ID!, first: Int, after: String): EventPage
  deliveries(caseId: ID!): [Delivery!]
  devices(first: Int, after: String): DevicePage
}

type CaseChange { caseId: ID! case: Case }

type Subscription {
  caseChanged(caseId: ID): CaseChange!
}
`

interface Page {
  first?: number | null
  after?: string | null
}

type Filter = Pick<CaseSelection, 'participantEmail' | 'createdFrom' | 'createdBefore'>

interface CasesArguments extends Pick<CaseSelection, 'search' | 'sort'> {
  status?: string | null
  filter?: (Filter & { status?: readonly string[] | null }) | null
}

/** `limit` and `cursor` as REST knows them. */
const pageOf = ({ first, after }: Page) => ({
  ...(first === undefined || first === null ? {} : { limit: String(first) }),
  ...(after === undefined || after === null ? {} : { cursor: after }),
})

type Context = ListingCaller

/** The case as in a list; null once it was removed. */
async function presentChanged({ caseId }: CaseUpdate, { tenant }: Context, deps: ApiDeps) {
  try {
    return await presentListedCase(await readCase({ tenant, caseId }, deps), deps)
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

/** @throws GraphQLError for a subscription outside of a stream */
function resolveChange({ caseId }: Partial<CaseUpdate>): CaseUpdate {
  if (caseId === undefined) throw new GraphQLError('Send subscriptions to POST /graphql/stream')
  return { caseId }
}

/** Every field reads as its route does, of the tenant alone whose token came. */
export const buildResolvers = (deps: ListingDeps) => ({
  Query: {
    case: async (_: unknown, { id }: { id: string }, { tenant }: Context) =>
      presentCase(await readCase({ tenant, caseId: id }, deps), deps),
    cases: (_: unknown, asked: Page & CasesArguments, caller: Context) => {
      const { search, sort } = asked
      const { status: statuses, ...filter } = asked.filter ?? {}
      const status = asked.status ?? undefined
      return presentCases(
        caller,
        { ...pageOf(asked), ...filter, status, statuses, search, sort },
        deps,
      )
    },
    events: (_: unknown, asked: Page & { caseId: string }, { tenant }: Context) =>
      listEvents({ tenant, caseId: asked.caseId }, pageOf(asked), deps),
    deliveries: async (_: unknown, { caseId }: { caseId: string }, { tenant }: Context) =>
      presentDeliveries(await listDeliveries({ tenant, caseId }, deps), deps).deliveries,
    devices: async (_: unknown, asked: Page, { tenant }: Context) =>
      presentDevices(await listDevices(tenant, pageOf(asked), deps)),
  },
  Subscription: { caseChanged: resolveChange },
  CaseChange: {
    case: (change: CaseUpdate, _: unknown, context: Context) =>
      presentChanged(change, context, deps),
  },
})
