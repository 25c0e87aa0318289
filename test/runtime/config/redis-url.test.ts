import t from 'tap'
import { parseRedisUrl, redisRule } from '../../../runtime/config/redis-url.ts'

t.test('the URL of one server is taken as it is', async (t) => {
  for (const url of ['redis://redis:6379', 'rediss://:p%40ss@r.example:6380/2', 'redis://[::1]']) {
    t.equal(parseRedisUrl(url), url)
  }
})

t.test('a URL of several servers is refused, and the message says which kind it is', async (t) => {
  for (const url of ['', 'redis:', 'http://redis:6379', 'redis://a,b:6379']) {
    t.equal(parseRedisUrl(url), undefined, url)
    t.notMatch(redisRule(url), /not supported/)
  }
  for (const [url, kind] of [
    ['redis-sentinel://a:26379/mymaster', 'Redis Sentinel'],
    ['rediss+cluster://a:6379', 'Redis Cluster'],
  ] as const) {
    t.equal(parseRedisUrl(url), undefined)
    t.match(redisRule(url), `${kind} is not supported`)
  }
})
