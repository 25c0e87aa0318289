/** Reads SVG path data of untrusted people (SVG 2, 9.3) as absolute lines and cubic curves. */
import { PadesError } from '../errors.ts'
import type { PathPicture, PathStep } from './picture.ts'
import { type Arc, arcToCurves } from './svg-arc.ts'

/** 512 KB of text can hold no more meaningful strokes than this. */
const MAX_STEPS = 100_000
/** Coordinates beyond this are refused, because products of them would lose their precision. */
const MAX_COORDINATE = 1e6

const COMMANDS = 'MmZzLlHhVvCcSsQqTtAa'
/** How many numbers each command takes. */
const ARITY: Record<string, number> = {
  M: 2,
  L: 2,
  H: 1,
  V: 1,
  C: 6,
  S: 4,
  Q: 4,
  T: 2,
  A: 7,
  Z: 0,
}
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y
const SEPARATOR = /[\s,]*/y
/** Flags of arcs need no space after them: `a1 1 0 01 5,5`. */
const FLAG = /[01]/y
const LARGE_ARC = 3
const SWEEP = 4

/**
 * Reads path data.
 *
 * @throws PadesError `BAD_DRAWING` - not path data, absurd numbers or counts, or nothing drawn
 */
export function readPathData(data: string): PathPicture {
  const pen = new Pen()
  let at = skip(data, 0)
  let command = ''
  while (at < data.length) {
    const letter = data[at]
    if (COMMANDS.includes(letter)) {
      command = letter
      at = skip(data, at + 1)
    } else if (command === '' || command.toUpperCase() === 'Z') {
      throw bad(`is not path data from character ${at + 1} on`)
    }
    if (pen.steps.length === 0 && command.toUpperCase() !== 'M') throw bad('must begin with M')
    const numbers: number[] = []
    const count = ARITY[command.toUpperCase()]
    while (numbers.length < count) {
      const isFlag =
        command.toUpperCase() === 'A' && (numbers.length === LARGE_ARC || numbers.length === SWEEP)
      const [value, next] = readNumber(data, at, isFlag ? FLAG : NUMBER)
      numbers.push(value)
      at = next
    }
    pen.draw(command, numbers)
    // Pairs that follow a move are lines.
    if (command === 'M') command = 'L'
    if (command === 'm') command = 'l'
  }
  return pen.finish()
}

function bad(what: string): PadesError {
  return new PadesError('BAD_DRAWING', `the SVG path ${what}`)
}

function skip(data: string, at: number): number {
  SEPARATOR.lastIndex = at
  SEPARATOR.test(data)
  return SEPARATOR.lastIndex
}

function readNumber(data: string, at: number, pattern: RegExp): [number, number] {
  pattern.lastIndex = at
  const match = pattern.exec(data)
  if (!match) throw bad(`lacks a number at character ${at + 1}`)
  const value = Number(match[0])
  if (!(Math.abs(value) <= MAX_COORDINATE)) throw bad('has a number that is too large')
  return [value, skip(data, pattern.lastIndex)]
}

/** Follows the commands and writes down where they lead. */
class Pen {
  readonly steps: PathStep[] = []
  #x = 0
  #y = 0
  #startX = 0
  #startY = 0
  /** The last control point, which S and T mirror; undefined after other commands. */
  #cubicControl: readonly [number, number] | undefined
  #quadraticControl: readonly [number, number] | undefined
  #left = Infinity
  #top = Infinity
  #right = -Infinity
  #bottom = -Infinity

  draw(command: string, numbers: readonly number[]): void {
    const kind = command.toUpperCase()
    const isRelative = command !== kind
    const x = isRelative ? this.#x : 0
    const y = isRelative ? this.#y : 0
    const [a, b, c, d, e, f, g] = numbers
    if (kind === 'M') return this.#move(x + a, y + b)
    if (kind === 'Z') return this.#close()
    if (kind === 'L') return this.#line(x + a, y + b)
    if (kind === 'H') return this.#line(x + a, this.#y)
    if (kind === 'V') return this.#line(this.#x, y + a)
    if (kind === 'C') return this.#cubic(x + a, y + b, x + c, y + d, x + e, y + f)
    if (kind === 'S') {
      const [mirrorX, mirrorY] = this.#mirror(this.#cubicControl)
      return this.#cubic(mirrorX, mirrorY, x + a, y + b, x + c, y + d)
    }
    if (kind === 'Q') return this.#quadratic(x + a, y + b, x + c, y + d)
    if (kind === 'T') {
      const [mirrorX, mirrorY] = this.#mirror(this.#quadraticControl)
      return this.#quadratic(mirrorX, mirrorY, x + a, y + b)
    }
    const arc = { radiusX: a, radiusY: b, degrees: c, isLarge: d === 1, isSweep: e === 1 }
    this.#arc(arc, x + f, y + g)
  }

  finish(): PathPicture {
    if (this.#right < this.#left) throw bad('is empty: it draws nothing')
    const bounds = [this.#left, this.#top, this.#right, this.#bottom] as const
    if (!bounds.every((value) => Math.abs(value) <= MAX_COORDINATE)) throw bad('is too large')
    if (this.#right === this.#left && this.#bottom === this.#top) {
      throw bad('is empty: it draws a single point')
    }
    return { kind: 'path', steps: this.steps, bounds }
  }

  /** A move draws nothing, so only lines and curves widen the bounds. */
  #reach(x: number, y: number): void {
    this.#left = Math.min(this.#left, x)
    this.#right = Math.max(this.#right, x)
    this.#top = Math.min(this.#top, y)
    this.#bottom = Math.max(this.#bottom, y)
  }

  #add(step: PathStep, x: number, y: number): void {
    if (this.steps.length >= MAX_STEPS) throw bad(`has more than ${MAX_STEPS} steps`)
    this.steps.push(step)
    this.#x = x
    this.#y = y
    this.#cubicControl = undefined
    this.#quadraticControl = undefined
  }

  #move(x: number, y: number): void {
    this.#startX = x
    this.#startY = y
    if (this.steps.at(-1)?.[0] === 'M') this.steps.pop()
    this.#add(['M', x, y], x, y)
  }

  #close(): void {
    this.#add(['Z'], this.#startX, this.#startY)
  }

  #line(x: number, y: number): void {
    this.#reach(this.#x, this.#y)
    this.#reach(x, y)
    this.#add(['L', x, y], x, y)
  }

  #cubic(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.#reach(this.#x, this.#y)
    this.#reach(x1, y1)
    this.#reach(x2, y2)
    this.#reach(x, y)
    this.#add(['C', x1, y1, x2, y2, x, y], x, y)
    this.#cubicControl = [x2, y2]
  }

  /** A quadratic curve is the cubic whose control points lie two thirds towards its own. */
  #quadratic(x1: number, y1: number, x: number, y: number): void {
    const towards = (from: number, to: number): number => from + ((to - from) * 2) / 3
    this.#cubic(towards(this.#x, x1), towards(this.#y, y1), towards(x, x1), towards(y, y1), x, y)
    this.#cubicControl = undefined
    this.#quadraticControl = [x1, y1]
  }

  #arc(arc: Arc, x: number, y: number): void {
    const curves = arcToCurves([this.#x, this.#y], arc, [x, y])
    if (!curves) return this.#line(x, y)
    for (const curve of curves) this.#cubic(...curve)
    this.#cubicControl = undefined
  }

  #mirror(control: readonly [number, number] | undefined): readonly [number, number] {
    if (!control) return [this.#x, this.#y]
    return [2 * this.#x - control[0], 2 * this.#y - control[1]]
  }
}
