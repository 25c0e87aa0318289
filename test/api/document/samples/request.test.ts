import t from 'tap'
import {
  fillPath,
  indentLines,
  pathParameters,
  readRequest,
  variableOf,
} from '../../../../api/document/samples/request.ts'

t.test('a request has what its operation requires', async (t) => {
  const request = readRequest('https://sign.example/', '/cases/{caseId}', 'post', {
    operationId: 'createCase',
    security: [{ tenant: [] }],
    parameters: [
      { name: 'kind', in: 'query', required: true, schema: { enum: ['signed', 'evidence'] } },
      { name: 'limit', in: 'query' },
      { name: 'Idempotency-Key', in: 'header' },
    ],
    requestBody: { content: { 'application/json': { example: { a: 1 } } } },
  })
  t.same(request, {
    operationId: 'createCase',
    baseUrl: 'https://sign.example',
    method: 'POST',
    target: '/cases/{caseId}?kind=signed',
    tokenName: 'SIGCASE_TOKEN',
    body: { a: 1 },
    takesIdempotencyKey: true,
  })
})

t.test('a public request has neither token nor body', async (t) => {
  const request = readRequest('https://sign.example', '/verify', 'get', {})
  t.notOk('tokenName' in request)
  t.notOk('body' in request)
  t.equal(request.target, '/verify')
})

t.test('parameters of a path become variables', async (t) => {
  const path = '/cases/{caseId}/participants/{participantId}'
  t.same(pathParameters(path), ['caseId', 'participantId'])
  t.equal(fillPath(path, variableOf), '/cases/CASE_ID/participants/PARTICIPANT_ID')
  t.equal(indentLines('a\n\nb', 2), '  a\n\n  b')
})
