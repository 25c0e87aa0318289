/** The queue of one process keeps the contract of its port. */
import { InProcessJobQueue } from '../../../adapters/embedded/job-queue.ts'
import { systemTimers } from '../../../adapters/shared/system-timers.ts'
import { jobQueueContract } from '../../contract/small-ports.ts'

jobQueueContract('InProcessJobQueue', async () => new InProcessJobQueue(systemTimers, () => {}))
