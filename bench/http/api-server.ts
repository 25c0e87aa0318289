/** Runs the stubbed API as a process. Prints its port and a tenant's token. */
import type { AddressInfo } from 'node:net'
import { stubbedApi } from './stubbed-api.ts'

const { app, tenantToken } = await stubbedApi()
await app.listen({ port: 0, host: '127.0.0.1' })
console.log(`${(app.server.address() as AddressInfo).port} ${tenantToken}`)
