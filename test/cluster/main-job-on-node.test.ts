import { mainJobOn } from './main-job.ts'

await mainJobOn('node')
