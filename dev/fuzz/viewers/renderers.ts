/** Draws every page of a PDF with five independent viewers, each within a time limit. */
import { Buffer } from 'node:buffer'
import { spawn } from 'node:child_process'
import { Worker } from 'node:worker_threads'
import { isInstalled } from '../../outside-programs.ts'
import { type Raster, readPgm } from './raster.ts'
import type { RenderAnswer, RenderTask } from './render-thread.ts'

/** Names of the viewers. */
export const VIEWERS = ['poppler', 'mupdf', 'ghostscript', 'pdfium', 'pdf.js'] as const
export type Viewer = (typeof VIEWERS)[number]

/** Enough to see a line of large text, and fast. */
const DOTS_PER_INCH = 50
/** Pages of a document that are compared. */
const MAXIMUM_PAGES = 12
const TIME_LIMIT_MS = 20_000
const MAXIMUM_OUTPUT_BYTES = 64 * 1024 * 1024

/** The pages of a document; undefined when the viewer refused it, broke or took too long. */
export type Render = (path: string) => Promise<readonly Raster[] | undefined>

const dpi = String(DOTS_PER_INCH)
const last = String(MAXIMUM_PAGES)

/** Programs that write all pages as PGM to standard output. */
const PROGRAMS: Readonly<Record<'poppler' | 'mupdf' | 'ghostscript', readonly string[]>> = {
  poppler: ['pdftoppm', '-q', '-gray', '-cropbox', '-r', dpi, '-l', last],
  mupdf: ['mutool', 'draw', '-q', '-c', 'gray', '-F', 'pgm', '-o', '-', '-r', dpi],
  ghostscript: [
    ...['gs', '-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-dUseCropBox', '-sDEVICE=pgmraw'],
    ...[`-r${dpi}`, `-dLastPage=${last}`, '-dTextAlphaBits=4', '-dGraphicsAlphaBits=4'],
    ...['-sstdout=%stderr', '-sOutputFile=%stdout'],
  ],
}

/** Arguments after the path of the document. */
const TRAILING: Readonly<Record<string, readonly string[]>> = { mutool: [`1-${last}`] }

/** Lists programs that are not installed: those that render, and qpdf, which encrypts. */
export function missingPrograms(): string[] {
  const commands = [...Object.values(PROGRAMS).map(([command = '']) => command), 'qpdf']
  return commands.filter((command) => !isInstalled(command))
}

function runProgram([command = '', ...args]: readonly string[], path: string) {
  const { promise, resolve } = Promise.withResolvers<readonly Raster[] | undefined>()
  const child = spawn(command, [...args, path, ...(TRAILING[command] ?? [])], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: TIME_LIMIT_MS,
    killSignal: 'SIGKILL',
  })
  const parts: Buffer[] = []
  let size = 0
  child.stdout.on('data', (part: Buffer) => {
    size += part.length
    if (size > MAXIMUM_OUTPUT_BYTES) child.kill('SIGKILL')
    else parts.push(part)
  })
  child.on('error', () => resolve(undefined))
  child.on('close', () => resolve(rastersOf(Buffer.concat(parts))))
  return promise
}

/** A failing program may have rendered some pages, which users see. */
function rastersOf(output: Buffer): readonly Raster[] | undefined {
  try {
    const rasters = readPgm(output)
    return rasters.length > 0 ? rasters : undefined
  } catch {
    return undefined
  }
}

/** A viewer that runs in a thread, which is started anew after a time-out or a crash. */
class ThreadViewer {
  readonly #engine: 'pdfium' | 'pdf.js'
  #worker: Worker | undefined
  #nextId = 0
  #queue: Promise<unknown> = Promise.resolve()

  constructor(engine: 'pdfium' | 'pdf.js') {
    this.#engine = engine
  }

  /** One document at a time. */
  render(path: string): Promise<readonly Raster[] | undefined> {
    const rendered = this.#queue.then(() => this.#ask(path))
    this.#queue = rendered
    return rendered
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
    this.#worker = undefined
  }

  #ask(path: string): Promise<readonly Raster[] | undefined> {
    const { promise, resolve } = Promise.withResolvers<readonly Raster[] | undefined>()
    const worker = (this.#worker ??= this.#start())
    const id = ++this.#nextId
    const end = (rasters: readonly Raster[] | undefined, isBroken: boolean) => {
      clearTimeout(timer)
      worker.removeAllListeners('message').removeAllListeners('error')
      if (isBroken) void this.close()
      resolve(rasters)
    }
    const timer = setTimeout(() => end(undefined, true), TIME_LIMIT_MS)
    worker.on('error', () => end(undefined, true))
    worker.on('message', (answer: RenderAnswer) => {
      if (answer.id === id) end(answer.rasters, false)
    })
    const task = { id, path, dotsPerInch: DOTS_PER_INCH, maximumPages: MAXIMUM_PAGES }
    worker.postMessage(task satisfies RenderTask)
    return promise
  }

  #start(): Worker {
    const worker = new Worker(new URL('render-thread.ts', import.meta.url), {
      workerData: { engine: this.#engine },
      stdout: true,
      stderr: true,
    })
    worker.unref()
    return worker
  }
}

/** All five viewers, ready to draw. */
export class Viewers {
  readonly #threads = [new ThreadViewer('pdfium'), new ThreadViewer('pdf.js')] as const

  readonly #renders: Readonly<Record<Viewer, Render>> = {
    poppler: (path) => runProgram(PROGRAMS.poppler, path),
    mupdf: (path) => runProgram(PROGRAMS.mupdf, path),
    ghostscript: (path) => runProgram(PROGRAMS.ghostscript, path),
    pdfium: (path) => this.#threads[0].render(path),
    'pdf.js': (path) => this.#threads[1].render(path),
  }

  /**
   * Draws a document.
   *
   * @param path of the file
   */
  async render(path: string): Promise<Map<Viewer, readonly Raster[] | undefined>> {
    const drawn = VIEWERS.map(
      async (viewer) => [viewer, await this.#renders[viewer](path)] as const,
    )
    return new Map(await Promise.all(drawn))
  }

  /** Terminates the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }
}
