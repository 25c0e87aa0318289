/** The rows of `npm run bench`, in the order in which they run. */
import type { RowReport } from './report.ts'

interface Row {
  /** Description of the measurement in one line. */
  about: string
  /**
   * Runs the row; its modules are loaded at that time.
   *
   * @param rows `--rows`, for rows that have a size
   */
  run(rows?: number): Promise<RowReport>
}

export const ROWS: Readonly<Record<string, Row>> = {
  sign1: {
    about: '100 KB, one signature',
    run: async () => (await import('./rows/sign.ts')).sign1(),
  },
  sign5: {
    about: '25 MB, four participants and the seal',
    run: async () => (await import('./rows/sign.ts')).sign5(),
  },
  marginal: {
    about: 'what one signature more costs',
    run: async () => (await import('./rows/sign.ts')).marginal(),
  },
  signjob: {
    about: 'the whole signing job with a slow KMS, TSA and storage',
    run: async () => (await import('./rows/signjob.ts')).signjob(),
  },
  memory: {
    about: 'the rise in memory while 25 MB are signed',
    run: async () => (await import('./rows/memory.ts')).memory(),
  },
  intake: {
    about: 'page count and sizes of 25 MB',
    run: async () => (await import('./rows/intake.ts')).intake(),
  },
  verify: {
    about: 'validating 40 small files',
    run: async () => (await import('./rows/verify.ts')).verify(),
  },
  verify25x5: {
    about: 'validating five signatures on 25 MB',
    run: async () => (await import('./rows/verify.ts')).verify25x5(),
  },
  verifyworst: {
    about: 'validating the worst file of the corpus',
    run: async () => (await import('./rows/verify.ts')).verifyWorst(),
  },
  http: {
    about: 'creating and reading a case, with stores that answer at once',
    run: async () => (await import('./rows/http.ts')).http(),
  },
  cases: {
    about: 'creating cases through the API against creating them at the API server',
    run: async () => (await import('./rows/cases.ts')).cases(),
  },
  search: {
    about: 'pages of found cases with 20,000 cases on one machine, or all queries with --rows N',
    run: async (rows) =>
      rows === undefined
        ? (await import('./rows/search.ts')).search()
        : (await import('./rows/search-many.ts')).searchMany(rows),
  },
  watch: {
    about: 'from the creation of a case to its first reconcile, against a bare watch',
    run: async () => (await import('./rows/watch.ts')).watch(),
  },
  flow: {
    about: 'whole cases from NEW to DONE on a cluster, and their writes to etcd',
    run: async () => (await import('./rows/flow.ts')).flow(),
  },
  case: {
    about: 'what a case costs: CPU, reconciles, writes, operations of the object store, Redis',
    run: async () => (await import('./rows/case.ts')).caseCosts(),
  },
  reader: {
    about: 'CPU time of the first document of a process of the sandbox, and of later ones',
    run: async () => (await import('./rows/reader.ts')).reader(),
  },
  objects: {
    about: 'which objects a case writes, lists and reads, and which code asks for them',
    run: async () => (await import('./rows/objects.ts')).objects(),
  },
  growth: {
    about: 'a restart of one machine with 20,000 ended cases, or with --rows N',
    run: async (rows) => (await import('./rows/growth.ts')).growth(rows),
  },
  waiting: {
    about: 'what 2,000 NEW and 2,000 open cases cost a waiting controller (7 minutes), or --rows N',
    run: async (rows) => (await import('./rows/waiting.ts')).waiting(rows),
  },
  archive: {
    about: 'archiving ended cases, and the start of the controller before and after it',
    run: async () => (await import('./rows/archive.ts')).archive(),
  },
  queue: {
    about: 'adding jobs to Redis, and how soon they start',
    run: async () => (await import('./rows/queue.ts')).queue(),
  },
  sse: {
    about: '10,000 idle kiosks on one process, and cases handed over to them',
    run: async () => (await import('./rows/sse.ts')).sse(),
  },
  firstpage: {
    about: 'the first page of a contract on a slow phone with slow 4G',
    run: async () => (await import('./rows/first-page.ts')).firstPage(),
  },
  webhook: {
    about: 'delivering webhooks, with stores in memory and with those of a cluster',
    run: async () => (await import('./rows/webhook.ts')).webhook(),
  },
}
