/**
 * Decides which tests have to run on Deno too: those of sources that use what the runtimes
 * implement differently. Everything else is plain code, which one engine (V8) runs on both.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Imports that leave no code behind. */
const TYPE_IMPORT = /^import type [^;]*? from '[^']+'$/gms
/**
 * Modules of Node, which Deno implements itself, and npm packages, which may use them. Every file
 * that stays uses `node:buffer`.
 */
const OUTSIDE_MODULE = /from '(?!\.|node:buffer')[^']+'|import\('(?!\.)[^']+'\)/
/** Globals that each runtime brings along. */
const GLOBAL = new RegExp(
  '\\b(?:fetch\\(|crypto\\.|Text(?:De|En)coder|(?:De)?[Cc]ompressionStream|\\w*ReadableStream|' +
    'structuredClone|Intl\\.|toLocale|localeCompare|performance\\.|process\\.|WebSocket\\(|' +
    'Worker\\(|setTimeout\\(|setInterval\\(|queueMicrotask|AbortSignal\\.|AbortController\\(|' +
    'new URL\\()',
)

/** Whether code imports what it does not contain, or uses globals of the runtime. */
export function usesRuntime(source: string): boolean {
  const code = source.replace(TYPE_IMPORT, '')
  return OUTSIDE_MODULE.test(code) || GLOBAL.test(code)
}

/**
 * Whether the source of a test uses the runtime. A test of a topic, without a source of its name,
 * counts as one that does.
 *
 * @param test path from the root
 * @param root folder of the repository
 */
export function testsRuntimeUse(test: string, root: string): boolean {
  const source = join(root, test.replace(/^test\//, '').replace(/\.test\.ts$/, '.ts'))
  return !existsSync(source) || usesRuntime(readFileSync(source, 'utf8'))
}
