import { spawnSync } from 'node:child_process'
import t from 'tap'
import { curlSample } from '../../../../api/document/samples/curl.ts'

const REQUEST = {
  operationId: 'createCase',
  baseUrl: 'https://sign.example',
  method: 'POST',
  target: '/cases/{caseId}',
  tokenName: 'SIGCASE_TOKEN',
  body: { name: "O'Brien", path: '$(id) `id` \\' },
  takesIdempotencyKey: false,
}

/** The arguments that a POSIX shell gives to curl. */
function readArguments(sample: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${sample}\n`
  const env = { CASE_ID: 'c-1', SIGCASE_TOKEN: 'token' }
  return spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8', env }).stdout.split('\0')
}

t.test('a shell sends the body as it is, with quotes and dollars in it', async (t) => {
  const given = readArguments(curlSample(REQUEST))
  t.same(given.slice(0, 3), ['--fail-with-body', '-X', 'POST'])
  t.ok(given.includes('https://sign.example/cases/c-1'))
  t.ok(given.includes('Authorization: Bearer token'))
  t.same(JSON.parse(given[given.indexOf('--data') + 1] ?? ''), REQUEST.body)
})

t.test('a public GET is one line', async (t) => {
  const { body: _, tokenName: __, ...rest } = REQUEST
  t.equal(
    curlSample({ ...rest, method: 'GET', target: '/pki' }),
    'curl --fail-with-body "https://sign.example/pki"',
  )
})
