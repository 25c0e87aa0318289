/** The ephemeral stores of one process and of tests keep the contracts of their ports. */
import { InProcessEphemeral } from '../../../adapters/embedded/ephemeral.ts'
import { ephemeralContract } from '../../contract/ephemeral.ts'
import { MemoryEphemeral } from '../../fixtures/memory-ephemeral.ts'

const now = () => new Date()

ephemeralContract('InProcessEphemeral', async () => new InProcessEphemeral(now))
ephemeralContract('MemoryEphemeral', async () => new MemoryEphemeral(now))
