/** Every sentence of the GraphQL page in English. */
export const GRAPHQL_ENGLISH = {
  heading: 'Try GraphQL',
  lead: 'Write a query or a subscription and run it. Only this machine has the page.',
  tenant: 'Tenant',
  getToken: 'Get a token',
  token: 'Bearer token',
  noToken: 'No token was issued. Check the name of the tenant.',
  noSchema: 'The schema could not be read. Check the token.',
  query: 'Query',
  variables: 'Variables (JSON)',
  run: 'Run',
  runHint: 'Ctrl or Cmd and Enter runs the query. Ctrl and Space suggests fields.',
  stop: 'Stop',
  result: 'Result',
  noResult: 'There is no result yet.',
  waiting: 'Waiting for changes of cases…',
  ended: 'The subscription has ended.',
  notJson: 'The variables are not a JSON object.',
  failed: 'The service cannot be reached.',
  schema: 'Schema',
  schemaNeedsToken: 'The schema appears as soon as there is a token.',
}

export type GraphqlTexts = typeof GRAPHQL_ENGLISH
