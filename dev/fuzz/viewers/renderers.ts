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

const MAXIMUM_OUTPUT_BYTES = 64 * 1024 * 1024

/** What is drawn of a document. */
export interface Detail {
  readonly viewers: readonly Viewer[]
  readonly dotsPerInch: number
  /** Pages of a document that are drawn, from the first. */
  readonly maximumPages: number
  /** Time of one viewer for one document. */
  readonly timeLimitMs: number
}

/** Enough to see a line of large text, and fast. */
const DEFAULT_DETAIL: Detail = {
  viewers: VIEWERS,
  dotsPerInch: 50,
  maximumPages: 12,
  timeLimitMs: 20_000,
}

/** The pages of a document; undefined when the viewer refused it, broke or took too long. */
export type Render = (path: string) => Promise<readonly Raster[] | undefined>

type Program = 'poppler' | 'mupdf' | 'ghostscript'

/** Commands that write all pages as PGM to standard output. */
function commandOf(program: Program, path: string, detail: Detail): readonly string[] {
  const [dpi, last] = [String(detail.dotsPerInch), String(detail.maximumPages)]
  switch (program) {
    case 'poppler':
      return ['pdftoppm', '-q', '-gray', '-cropbox', '-r', dpi, '-l', last, path]
    case 'mupdf': {
      const form = ['-c', 'gray', '-F', 'pgm', '-o', '-', '-r', dpi]
      return ['mutool', 'draw', '-q', ...form, path, `1-${last}`]
    }
    case 'ghostscript':
      return [
        ...['gs', '-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-dUseCropBox', '-sDEVICE=pgmraw'],
        ...[`-r${dpi}`, `-dLastPage=${last}`, '-dTextAlphaBits=4', '-dGraphicsAlphaBits=4'],
        ...['-sstdout=%stderr', '-sOutputFile=%stdout', path],
      ]
  }
}

const COMMANDS = ['pdftoppm', 'mutool', 'gs', 'qpdf']

/** Lists programs that are not installed: those that render, and qpdf, which encrypts. */
export function missingPrograms(): string[] {
  return COMMANDS.filter((command) => !isInstalled(command))
}

function runProgram([command = '', ...args]: readonly string[], timeLimitMs: number) {
  const { promise, resolve } = Promise.withResolvers<readonly Raster[] | undefined>()
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: timeLimitMs,
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
  readonly #detail: Detail
  #worker: Worker | undefined
  #nextId = 0
  #queue: Promise<unknown> = Promise.resolve()

  constructor(engine: 'pdfium' | 'pdf.js', detail: Detail) {
    this.#engine = engine
    this.#detail = detail
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
    const { dotsPerInch, maximumPages, timeLimitMs } = this.#detail
    const timer = setTimeout(() => end(undefined, true), timeLimitMs)
    worker.on('error', () => end(undefined, true))
    worker.on('message', (answer: RenderAnswer) => {
      if (answer.id === id) end(answer.rasters, false)
    })
    const task = { id, path, dotsPerInch, maximumPages }
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

/** Viewers, ready to draw; all five unless others are named. */
export class Viewers {
  readonly #detail: Detail
  readonly #pdfium: ThreadViewer
  readonly #pdfJs: ThreadViewer

  constructor(detail: Partial<Detail> = {}) {
    this.#detail = { ...DEFAULT_DETAIL, ...detail }
    this.#pdfium = new ThreadViewer('pdfium', this.#detail)
    this.#pdfJs = new ThreadViewer('pdf.js', this.#detail)
  }

  /**
   * Draws a document.
   *
   * @param path of the file
   * @param viewers those that draw it
   */
  async render(
    path: string,
    viewers = this.#detail.viewers,
  ): Promise<Map<Viewer, readonly Raster[] | undefined>> {
    const drawn = viewers.map(
      async (viewer) => [viewer, await this.#renderWith(viewer, path)] as const,
    )
    return new Map(await Promise.all(drawn))
  }

  /** Terminates the threads. */
  async close(): Promise<void> {
    await Promise.all([this.#pdfium.close(), this.#pdfJs.close()])
  }

  #renderWith(viewer: Viewer, path: string): ReturnType<Render> {
    if (viewer === 'pdfium') return this.#pdfium.render(path)
    if (viewer === 'pdf.js') return this.#pdfJs.render(path)
    return runProgram(commandOf(viewer, path, this.#detail), this.#detail.timeLimitMs)
  }
}
