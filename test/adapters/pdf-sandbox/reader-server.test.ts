/** A reader beside a worker reads documents for it, and can be used for nothing else. */
import { execFile, spawn } from 'node:child_process'
import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { ChildReader } from '../../../adapters/pdf-sandbox/child-reader.ts'
import { denoBinary } from '../../../adapters/pdf-sandbox/deno-binary.ts'
import { DenoPdfSandbox } from '../../../adapters/pdf-sandbox/pdf-sandbox.ts'
import type { DocumentReader, Ending, ReadingLimits } from '../../../adapters/pdf-sandbox/reader.ts'
import { serveReader } from '../../../adapters/pdf-sandbox/reader-server.ts'
import { SocketReader } from '../../../adapters/pdf-sandbox/socket-reader.ts'
import { SandboxBusyError } from '../../../domain/ports/pdf-sandbox.ts'
import { FORESEEN_SIGNING } from '../../fixtures/foreseen-signing.ts'
import { minimalPdf } from '../../fixtures/minimal-pdf.ts'
import { until } from '../../fixtures/until.ts'

t.setTimeout(600_000)

const ANSWER: Ending = {
  answer: '{"outcome":"inspected","pages":[],"carriesSignatures":false}',
  complaint: '',
  timedOut: false,
  signal: null,
  code: 0,
}

/** A folder with a short path: that of a socket is bounded. */
function shortFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Sockets of servers at a path. */
const countSockets = (path: string) =>
  readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .filter((line) => line.endsWith(` ${path}`)).length

async function served(t: Test, reader: DocumentReader, onFault?: (fault: unknown) => void) {
  const path = join(shortFolder(t), 'reader.sock')
  const close = await serveReader({ reader, path, ...(onFault ? { onFault } : {}) })
  t.teardown(close)
  return { path, sandbox: new DenoPdfSandbox({ reader: new SocketReader(path) }) }
}

t.test('a document is read over the socket as by a child of this process', async (t) => {
  const reader = new ChildReader()
  t.teardown(() => reader.close())
  const { path, sandbox } = await served(t, reader)
  t.match(await sandbox.inspect(minimalPdf(), FORESEEN_SIGNING), { outcome: 'accepted' })
  const request = { trustAnchors: [], validationTime: new Date('2026-06-01T00:00:00Z') }
  t.match(await sandbox.validate(minimalPdf(), request), { outcome: 'validated' })
  await t.resolves(new SocketReader(path).ping())
  t.equal(statSync(path).mode & 0o777, 0o660, 'owner and group may connect')
})

t.test('limits and ends come over the socket too', async (t) => {
  const asked: ReadingLimits[] = []
  const answers: Ending[] = [
    { ...ANSWER, timedOut: true, signal: 'SIGKILL', code: null },
    { ...ANSWER, signal: 'SIGXCPU', code: null },
    ANSWER,
    { ...ANSWER, signal: 'SIGXCPU', code: null },
    { ...ANSWER, answer: '{"outcome":"refused","code":"DAMAGED","message":"no"}' },
  ]
  const { sandbox } = await served(t, {
    read: async (_task, _document, limits) => {
      asked.push(limits)
      return answers.shift() as Ending
    },
    close: async () => undefined,
  })
  await t.rejects(sandbox.inspect(minimalPdf(), FORESEEN_SIGNING), SandboxBusyError)
  t.match(await sandbox.inspect(minimalPdf(), FORESEEN_SIGNING), { outcome: 'rejected' })
  t.match(await sandbox.inspect(minimalPdf(), FORESEEN_SIGNING), { outcome: 'accepted' })
  const request = { trustAnchors: [], validationTime: new Date('2026-06-01T00:00:00Z') }
  t.same(await sandbox.validateSigned(minimalPdf(), request), { outcome: 'unreadable' })
  const usual = { wallMs: 120_000, isAmple: false }
  const ample = { wallMs: 480_000, isAmple: true }
  t.same(asked, [usual, usual, usual, usual, ample], 'what was signed is tried with more')
})

t.test('a reader that is unavailable or fails gives no verdict about the document', async (t) => {
  const away = new DenoPdfSandbox({ reader: new SocketReader(join(shortFolder(t), 'none')) })
  await t.rejects(away.inspect(minimalPdf(), FORESEEN_SIGNING), /ENOENT/)
  await t.rejects(new SocketReader(join(shortFolder(t), 'none')).ping(), /ENOENT/)
  const faults: unknown[] = []
  const failing = {
    read: async () => {
      throw new Error('no process')
    },
    close: async () => undefined,
  }
  const { sandbox } = await served(t, failing, (fault) => faults.push(fault))
  await t.rejects(sandbox.inspect(minimalPdf(), FORESEEN_SIGNING))
  t.match(faults, [/no process/])
})

t.test('a reader that hangs does not answer a ping', async (t) => {
  const path = join(shortFolder(t), 'reader.sock')
  const program = `
    import { createServer } from 'node:net'
    createServer().listen(${JSON.stringify(path)}, () => console.log('listening'))`
  const run = 'deno' in process.versions ? ['eval'] : ['--input-type=module', '--eval']
  const child = spawn(process.execPath, [...run, program], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  // On Deno, a child that was sent a signal by `kill` is sent no further one.
  process.kill(child.pid as number, 'SIGSTOP')
  await t.rejects(new SocketReader(path).ping(200), /does not answer/)
})

t.test('a reader that is asked to end serves its worker until that has ended', async (t) => {
  const path = join(shortFolder(t), 'reader.sock')
  const reader = { read: async () => ANSWER, close: async () => undefined }
  const close = await serveReader({ reader, path })
  const worker = new SocketReader(path)
  worker.attach()
  const sandbox = new DenoPdfSandbox({ reader: worker })
  t.match(await sandbox.inspect(minimalPdf(), FORESEEN_SIGNING), { outcome: 'accepted' })
  let isClosed = false
  const closed = close().then(() => (isClosed = true))
  await sleep(200)
  t.notOk(isClosed)
  t.match(await sandbox.inspect(minimalPdf(), FORESEEN_SIGNING), { outcome: 'accepted' })
  await sandbox.close()
  await closed
  await t.rejects(new SocketReader(path).ping())
})

t.test('a worker attaches again to a reader that was started again', async (t) => {
  const path = join(shortFolder(t), 'reader.sock')
  const reader = { read: async () => ANSWER, close: async () => undefined }
  const worker = new SocketReader(path)
  worker.attach()
  await sleep(100)
  const close = await serveReader({ reader, path })
  // The socket that listens, and that of the worker.
  await until(() => countSockets(path) === 2)
  const sandbox = new DenoPdfSandbox({ reader: new SocketReader(path) })
  t.match(await sandbox.inspect(minimalPdf(), FORESEEN_SIGNING), { outcome: 'accepted' })
  let isClosed = false
  const closed = close().then(() => (isClosed = true))
  await sleep(200)
  t.notOk(isClosed)
  await worker.close()
  await closed
})

t.test('a connection that does not speak the protocol is ended', async (t) => {
  const faults: unknown[] = []
  const reader = { read: async () => ANSWER, close: async () => undefined }
  const { path } = await served(t, reader, (fault) => faults.push(fault))
  for (const text of ['\xff\xff\xff\xff', '\0\0\0\x02no\0\0\0\x02{}\0\0\0\x00', '\0\0\0\x09']) {
    const answer = await new Promise<string>((resolve) => {
      let all = ''
      const socket = connect({ path })
      socket.on('data', (part) => (all += part.toString()))
      socket.on('close', () => resolve(all)).on('error', () => undefined)
      socket.end(Buffer.from(text, 'latin1'))
    })
    t.equal(answer, '')
  }
  t.equal(faults.length, 3)
})

t.test('the socket gives a Deno process no right to start a program', async (t) => {
  const reader = { read: async () => ANSWER, close: async () => undefined }
  const { path } = await served(t, reader)
  const program = (text: string) =>
    new Promise<string>((resolve) => {
      const rights = [`--allow-read=${path}`, `--allow-write=${path}`, '--allow-net']
      const child = execFile(
        denoBinary(),
        ['run', '--quiet', '--no-prompt', ...rights, '-'],
        (_error, stdout, stderr) => resolve(stdout + stderr),
      )
      child.stdin?.end(text)
    })
  const connecting = `import { connect } from 'node:net'
    connect({ path: ${JSON.stringify(path)} }, function () { console.log('there'); this.end() })`
  t.match(await program(connecting), 'there')
  t.match(await program('new Deno.Command("/bin/true").outputSync()'), /NotCapable|Requires run/)
})

const isRoot = process.getuid?.() === 0

t.test('a user without a home can have documents read', { skip: !isRoot }, async (t) => {
  const folder = shortFolder(t)
  const root = join(import.meta.dirname, '..', '..', '..')
  const code = ['adapters', 'domain', 'pades', 'package.json', 'deno.json', 'tsconfig.json']
  for (const name of code) cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const temporary = join(folder, 'tmp')
  cpSync(t.testdir(), temporary, { recursive: true })
  for (const path of [folder, temporary]) chownSync(path, 65_532, 65_532)
  const program = `
    import { Buffer } from 'node:buffer'
    import { ChildReader } from '${folder}/adapters/pdf-sandbox/child-reader.ts'
    import { DenoPdfSandbox } from '${folder}/adapters/pdf-sandbox/pdf-sandbox.ts'
    const sandbox = new DenoPdfSandbox({ reader: new ChildReader() })
    const pdf = Buffer.from('${Buffer.from(minimalPdf()).toString('base64')}', 'base64')
    console.log((await sandbox.inspect(pdf, ${JSON.stringify(FORESEEN_SIGNING)})).outcome)
    await sandbox.close()`
  const file = join(folder, 'program.ts')
  writeFileSync(file, program)
  const isOnDeno = 'deno' in process.versions
  const run = isOnDeno ? ['run', '-q', '--allow-all', '--node-modules-dir=manual', file] : [file]
  // As the image sets it.
  const own = isOnDeno ? { DENO_DIR: join(temporary, 'deno') } : {}
  const said = await new Promise<string>((resolve) => {
    const user = ['--reuid', '65532', '--regid', '65532', '--clear-groups']
    execFile(
      'setpriv',
      [...user, process.execPath, ...run],
      { cwd: folder, env: { TMPDIR: temporary, PATH: '/usr/bin:/bin', ...own } },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    )
  })
  t.match(said, /^accepted\n/)
  t.same(
    readdirSync(temporary),
    isOnDeno ? ['deno'] : [],
    'what Deno compiled goes with the reader',
  )
})
