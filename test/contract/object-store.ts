/** What every ObjectStore must do, its presigned URLs over real HTTP. */
import t, { type Test as TapTest } from 'tap'
import { maximumObjectBytes } from '../../domain/object-bounds.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'

const WRITERS = 50
const TEXT = 'text/plain'
const PDF = 'application/pdf'
const encoder = new TextEncoder()
const bytes = (text: string) => encoder.encode(text)
const read = (object: { bytes: Uint8Array } | undefined) =>
  object && new TextDecoder().decode(object.bytes)
const soon = () => new Date(Date.now() + 60_000)

/** @param open gives an empty store whose presigned URLs are served until the test ends */
export function objectStoreContract(
  name: string,
  open: (t: TapTest) => Promise<ObjectStore>,
): void {
  t.test(`${name}: an object is read as it was put`, async (t) => {
    const store = await open(t)
    t.equal(await store.get('a/b'), undefined)
    t.equal(await store.stat('a/b'), undefined)
    t.ok(await store.putIfAbsent('a/b', bytes('first'), TEXT))
    t.equal(read(await store.get('a/b')), 'first')
    const stat = await store.stat('a/b')
    t.match(stat, { key: 'a/b', size: 5, contentType: TEXT, generation: String })
    t.ok(stat!.updatedAt instanceof Date)
  })

  t.test(`${name}: what may reach the disk later is stored at once, and only once`, async (t) => {
    const store = await open(t)
    const first = await store.putIfAbsent('a', bytes('first'), TEXT, 'later')
    t.ok(first)
    t.equal(await store.putIfAbsent('a', bytes('second'), TEXT, 'later'), undefined)
    t.equal(await store.putIfAbsent('a', bytes('third'), TEXT), undefined)
    t.ok(await store.putIfAbsent('b', bytes('other'), TEXT))
    t.equal(read(await store.get('a')), 'first')
    t.ok(await store.compareAndSwap('a', bytes('2'), { contentType: TEXT, generation: first }))
    t.equal(read(await store.get('a')), '2')
  })

  t.test(`${name}: an object that is longer than the caller allows is not read`, async (t) => {
    const store = await open(t)
    await store.putIfAbsent('a', bytes('12345'), TEXT)
    t.equal(read(await store.get('a', 5)), '12345')
    await t.rejects(store.get('a', 4), { name: 'RangeError' })
    t.equal(await store.get('b', 1_000), undefined)
  })

  t.test(`${name}: an object that is longer than its kind has no octets`, async (t) => {
    const store = await open(t)
    const key = 'tenants/acme/cases/c/receipts/r'
    const bound = maximumObjectBytes(key)
    await store.putIfAbsent(key, new Uint8Array(bound), TEXT)
    t.equal((await store.get(key))?.bytes.length, bound)
    await store.delete(key)
    const generation = await store.putIfAbsent(key, new Uint8Array(bound + 1), TEXT)
    t.match(await store.get(key), { size: bound + 1, generation, bytes: { length: 0 } })
    t.equal((await store.get(key, bound + 1))?.bytes.length, bound + 1)
    const swapped = { contentType: TEXT, generation }
    t.ok(await store.compareAndSwap(key, bytes('genuine'), swapped))
    t.equal(read(await store.get(key)), 'genuine')
  })

  t.test(`${name}: an empty object and one beside its own folder are objects`, async (t) => {
    const store = await open(t)
    t.ok(await store.putIfAbsent('a', bytes(''), TEXT))
    t.ok(await store.putIfAbsent('a/b', bytes('x'), TEXT))
    t.equal(read(await store.get('a')), '')
    t.equal(read(await store.get('a/b')), 'x')
  })

  t.test(`${name}: of fifty that put a free key one wins, and its bytes stay`, async (t) => {
    const store = await open(t)
    const puts = Array.from({ length: WRITERS }, (_, index) =>
      store.putIfAbsent('key', bytes(String(index)), TEXT),
    )
    const won = await Promise.all(puts)
    t.equal(won.filter(Boolean).length, 1)
    const stored = await store.get('key')
    t.equal(read(stored), String(won.indexOf(stored?.generation)))
  })

  t.test(`${name}: of fifty that swap one generation one wins`, async (t) => {
    const store = await open(t)
    t.ok(
      await store.compareAndSwap('key', bytes('0'), { contentType: TEXT, generation: undefined }),
    )
    t.notOk(
      await store.compareAndSwap('key', bytes('1'), { contentType: TEXT, generation: undefined }),
    )
    const { generation } = (await store.stat('key'))!
    const swaps = Array.from({ length: WRITERS }, (_, index) =>
      store.compareAndSwap('key', bytes(`by ${index}`), { contentType: TEXT, generation }),
    )
    const won = await Promise.all(swaps)
    t.equal(won.filter(Boolean).length, 1)
    const stored = (await store.get('key'))!
    t.equal(read(stored), `by ${won.indexOf(stored.generation)}`)
    t.not(stored.generation, generation)
    t.notOk(await store.compareAndSwap('gone', bytes(''), { contentType: TEXT, generation }))
  })

  t.test(`${name}: objects are listed by prefix, in order, from a place on`, async (t) => {
    const store = await open(t)
    const keys = ['f/a', 'f/a-b', 'f/a/c', 'f/b', 'fa', 'g/a']
    for (const key of keys) await store.putIfAbsent(key, bytes(key), TEXT)
    const list = async (prefix: string, options: { limit: number; after?: string }) =>
      (await store.list(prefix, options)).map(({ key }) => key)
    t.same(await list('f/', { limit: 10 }), ['f/a', 'f/a-b', 'f/a/c', 'f/b'])
    t.same(await list('f/', { limit: 2 }), ['f/a', 'f/a-b'])
    t.same(await list('f/', { limit: 2, after: 'f/a-b' }), ['f/a/c', 'f/b'])
    t.same(await list('f/', { limit: 2, after: 'f/a/~' }), ['f/b'], 'behind a whole folder')
    t.same(await list('f/a', { limit: 10 }), ['f/a', 'f/a-b', 'f/a/c'])
    t.same(await list('nothing/', { limit: 10 }), [])
  })

  t.test(`${name}: what was deleted is gone, and deleting it again is not an error`, async (t) => {
    const store = await open(t)
    await store.putIfAbsent('key', bytes('x'), TEXT)
    await store.delete('key')
    await store.delete('key')
    t.equal(await store.get('key'), undefined)
    t.ok(await store.putIfAbsent('key', bytes('y'), TEXT))
  })

  t.test(`${name}: what is not a key is refused`, async (t) => {
    const store = await open(t)
    for (const key of [
      '',
      '/a',
      'a/',
      'a//b',
      '../a',
      'a/../b',
      '.',
      'a b',
      'a\u0000b',
      'ä',
      'a\\b',
    ]) {
      await t.rejects(store.putIfAbsent(key, bytes('x'), TEXT), { name: 'RangeError' }, key)
    }
  })

  t.test(`${name}: a presigned URL takes an upload, and another one after it`, async (t) => {
    const store = await open(t)
    const url = await store.presignPut('in/doc', { contentType: PDF, expiresAt: soon() })
    const put = (body: string, contentType = PDF) =>
      fetch(url, { method: 'PUT', body, headers: { 'content-type': contentType } })
    t.equal((await put('one')).status, 200)
    const first = (await store.stat('in/doc'))!
    t.equal((await put('second')).status, 200)
    const second = (await store.get('in/doc'))!
    t.equal(read(second), 'second')
    t.equal(second.contentType, PDF)
    t.not(second.generation, first.generation)
    t.equal((await put('third', TEXT)).status, 403, 'another type is refused')
    t.equal(read(await store.get('in/doc')), 'second')
  })

  t.test(`${name}: a presigned URL with a size takes what fits, and nothing longer`, async (t) => {
    const store = await open(t)
    const bound = { contentType: PDF, maximumBytes: 8, isAnnounced: true, expiresAt: soon() }
    const { url, headers } = await store.presignBoundedPut('in/bound', bound)
    t.equal(headers['Content-Type'], PDF)
    const put = async (body: string, sent: Record<string, string> = headers) => {
      const response = await fetch(url, { method: 'PUT', body, headers: sent })
      await response.arrayBuffer()
      return response.status
    }
    const tooLong = [400, 403, 413]
    t.ok(tooLong.includes(await put('123456789')))
    t.equal(await store.stat('in/bound'), undefined, 'nothing is stored')
    t.equal(await put('12345678'), 200)
    t.equal(read(await store.get('in/bound')), '12345678')
    t.ok(tooLong.includes(await put('another 9')))
    t.equal(read(await store.get('in/bound')), '12345678', 'what was there stays')
    t.equal(await put('x', { ...headers, 'Content-Type': TEXT }), 403)
    const changed = url.replace('size=8', 'size=900')
    if (changed !== url) {
      const answer = await fetch(changed, { method: 'PUT', body: 'x', headers })
      t.equal(answer.status, 403, 'the size is signed')
    }
  })

  t.test(
    `${name}: a presigned URL gives the object, whole, in part and with a file name`,
    async (t) => {
      const store = await open(t)
      await store.putIfAbsent('out/doc', bytes('0123456789'), PDF)
      const options = { expiresAt: soon(), downloadName: 'Zmluva "žltý kôň".pdf' }
      const url = await store.presignGet('out/doc', options)
      const whole = await fetch(url)
      t.equal(whole.status, 200)
      t.equal(whole.headers.get('content-type'), PDF)
      t.match(whole.headers.get('content-disposition'), /^attachment; filename="Zmluva .*\.pdf"/)
      t.match(whole.headers.get('content-disposition'), /filename\*=UTF-8''Zmluva%20%22%C5%BElt/)
      t.equal(await whole.text(), '0123456789')
      const ranges: [string, number, string][] = [
        ['bytes=2-4', 206, '234'],
        ['bytes=7-', 206, '789'],
        ['bytes=-3', 206, '789'],
        ['bytes=0-99', 206, '0123456789'],
      ]
      for (const [range, status, text] of ranges) {
        const part = await fetch(url, { headers: { range } })
        t.equal(part.status, status, range)
        t.equal(await part.text(), text, range)
      }
      t.equal((await fetch(url, { headers: { range: 'bytes=10-' } })).status, 416)
    },
  )

  t.test(`${name}: a URL that was altered or has expired opens nothing`, async (t) => {
    const store = await open(t)
    await store.putIfAbsent('out/doc', bytes('x'), PDF)
    await store.putIfAbsent('out/other', bytes('y'), PDF)
    const url = await store.presignGet('out/doc', { expiresAt: soon() })
    const refused = async (changed: string, method = 'GET') => {
      const response = await fetch(changed, { method })
      await response.arrayBuffer()
      return response.status === 403 || response.status === 400
    }
    t.ok(await refused(url.replace('out/doc', 'out/other')))
    t.ok(await refused(url.slice(0, -1) + (url.endsWith('A') ? 'B' : 'A')))
    t.ok(await refused(url.split('?')[0]!))
    t.ok(await refused(url, 'PUT'), 'reading is not writing')
    const late = await store.presignGet('out/doc', { expiresAt: new Date(Date.now() - 1000) })
    t.ok(await refused(late))
  })
}
