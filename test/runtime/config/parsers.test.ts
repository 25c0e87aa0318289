import t from 'tap'
import {
  isAddressOrRange,
  parseBaseUrl,
  parseHost,
  parseHttpUrl,
} from '../../../runtime/config/parsers.ts'

t.test('hosts are addresses and ASCII names', async (t) => {
  for (const host of ['::', '0.0.0.0', 'localhost', 'a-b.example']) t.equal(parseHost(host), host)
  for (const host of ['', '-a', 'a-', 'a b', 'ä.example', 'a/b', '[::1]']) {
    t.equal(parseHost(host), undefined, host)
  }
})

t.test('a base URL has no slash at its end, and nothing that a path cannot follow', async (t) => {
  t.equal(parseBaseUrl('https://Sign.example/'), 'https://sign.example')
  t.equal(parseBaseUrl('http://x.example/sign//'), 'http://x.example/sign')
  for (const url of ['x', 'ftp://x', 'http://u@x', 'http://x?q', 'http://x#f', 'http://x/a;b']) {
    t.equal(parseBaseUrl(url), undefined, url)
  }
})

t.test('an http URL keeps its query', async (t) => {
  t.equal(parseHttpUrl('https://x.example?q=1'), 'https://x.example/?q=1')
  for (const url of ['x', 'file:///x', 'https://u:p@x.example', 'https://x.example#f']) {
    t.equal(parseHttpUrl(url), undefined, url)
  }
})

t.test('addresses and ranges of both versions of IP', async (t) => {
  for (const text of ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/128', '0.0.0.0/0']) {
    t.ok(isAddressOrRange(text), text)
  }
  for (const text of [
    '',
    '10.0.0',
    '10.0.0.0/33',
    '::/129',
    'fe80::1%eth0',
    '10.0.0.0/8/8',
    '::/',
  ]) {
    t.notOk(isAddressOrRange(text), text)
  }
})
