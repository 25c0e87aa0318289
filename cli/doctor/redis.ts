/** Checks Redis for `sigcase doctor`. */
import { connectRedis } from '../../adapters/redis/connect.ts'
import { readServerFacts } from '../../adapters/redis/server-facts.ts'
import { checkRedisServer } from '../../runtime/cluster/redis-server.ts'
import type { ClusterConfig } from '../../runtime/config/processes.ts'
import { failed, ok, warning, type Check } from './finding.ts'

/** Checks that the server answers, and that its settings keep what the service writes. */
export function redisCheck({ redis }: ClusterConfig): Check {
  return {
    name: 'Redis',
    remedy: 'correct REDIS_URL (host, port, user, password) and REDIS_CA_FILE',
    async ask() {
      const lost = Promise.withResolvers<never>()
      const { authorities } = redis
      const client = connectRedis(redis.url, (error) => lost.reject(error), { authorities })
      try {
        const logged: string[] = []
        const server = {
          describeServer: async () => readServerFacts(await client.info()),
          epoch: () => client.ping(),
        }
        const log = { error: (_details: object, message: string) => logged.push(message) }
        const fault = await Promise.race([checkRedisServer(server, log)(), lost.promise])
        if (fault !== undefined) return failed('the server cannot be used', fault)
        const [advice] = logged
        return advice === undefined ? ok('answers') : warning('answers', advice)
      } finally {
        client.destroy()
      }
    },
  }
}
