/** Keeps the sizes and the banned words: what reviewers would otherwise repeat. */
import { existsSync } from 'node:fs'
import { join, normalize } from 'node:path'
import t from 'tap'
import { ROOT, CODE_FOLDERS, type SourceFile, files, code } from './fixtures/source-tree.ts'

const MAXIMUM_LINES = 500
const MAXIMUM_COLUMNS = 100
/** A generated file is as long as what it is generated from. */
const GENERATED = /^\/\*\*.* Made by `npm run generate`/

/**
 * Words that have no place in code, by where; `except` names the files for which they are the
 * purpose.
 */
interface Ban {
  pattern: RegExp
  why: string
  where: RegExp
  except?: RegExp
}

const PURE = /^(domain|pades|trusted-lists)\//
/** Folders whose files run in the service. */
const PRODUCT =
  /^(adapters|api|application|controllers|domain|pades|runtime|trusted-lists|workers)\//
const EVERYWHERE = /./
const BANS: readonly Ban[] = [
  { pattern: /\bDate\.now\b/, why: 'the clock is an argument', where: PURE },
  { pattern: /\bnew Date\(\)/, why: 'the clock is an argument', where: PURE },
  { pattern: /\bMath\.random\b/, why: 'it can be guessed', where: /^(?!test\/)/ },
  { pattern: /\bset(Timeout|Interval|Immediate)\b/, why: 'timers are an argument', where: PURE },
  {
    pattern: /\basync\b|\bawait\b|\bPromise\b/,
    why: 'rules are synchronous: a use case in application/ awaits',
    where: /^domain\/(?!ports\/)/,
  },
  {
    pattern: /\basync (function\*? )?#?\w+Of\b|\b\w+Of = async\b/,
    why: 'xOf is a pure projection: what reads or waits has a verb',
    where: /^(?!test\/)/,
  },
  { pattern: /\bfetch\(/, why: 'the network is an argument', where: PURE },
  {
    pattern: /\bprocess\.env\b/,
    why: 'configuration is read in one place',
    where: PRODUCT,
    except: /^(runtime\/(\w+|embedded\/main)|api\/document\/samples\/.*)\.ts$/,
  },
  {
    pattern: /\bURL\.canParse\b/,
    why: 'it says yes to texts that new URL refuses: URL.parse is null for them',
    where: EVERYWHERE,
  },
  { pattern: /\bexport default\b/, why: 'a name is exported once', where: EVERYWHERE },
  { pattern: /^\s*(export )?(const )?enum\b/m, why: 'erasable syntax only', where: EVERYWHERE },
  { pattern: /\.only\(|\bonly: true/, why: 'every test runs', where: /^test\// },
  {
    pattern: /\bconsole\./,
    why: 'a process has its logger',
    where: PRODUCT,
    // It prints its address for people, and why it could not start; samples print what they read.
    except: /^(runtime\/embedded\/main\.ts$|api\/document\/samples\/)/,
  },
]

/** Words that have no place in any text file, comments included. */
const BANNED_WORDS: readonly { pattern: RegExp; why: string }[] = [
  { pattern: new RegExp(`\\b(${'TO'}DO|${'FIX'}ME|X{3})\\b(?! )`), why: 'work is in the tracker' },
  { pattern: /\b(registry|npm|mirror)\.[a-z0-9-]+\.(org|com|dev|io)\b/, why: 'names a registry' },
  { pattern: /(?<![\w.$}/])\/(work|root|home|Users)\/[a-z]/, why: 'a path of one machine' },
]

/**
 * Phrases of the dialect that this project was once written in, and what to write instead. They are
 * banned from all text: comments, errors, names of tests, charts, documentation.
 */
const BANNED_PHRASES: readonly { pattern: RegExp; instead: string }[] = [
  {
    pattern: new RegExp(
      '(?<!\\bthere |\\bwill )\\b(is|are|was|were) no ' +
        '(?!(longer|more|one|matter|other|different|such)\\b)[a-z]',
      'i',
    ),
    instead: '"is not a", "are not"',
  },
  { pattern: /\bstands?\b(?!-)/i, instead: '"is", "means", "replaces"' },
  { pattern: /\b(tells?|telling) of\b/i, instead: '"reports", "describes", "records"' },
  { pattern: /\btold\b/i, instead: '"distinguished", "asked", "notified"' },
  {
    pattern: /\btells? (whether|how|when|why|that|apart|from|so)\b/i,
    instead: '"reports", "shows", "distinguishes"',
  },
  { pattern: /\b(hears?|heard) (of|from|out)\b/i, instead: '"receives", "reads"' },
  {
    pattern: /\bnobody (is|was|has|had|knows|else|ever|could|saw|trusts)\b/i,
    instead: '"no one", or a sentence with a subject',
  },
  { pattern: /\bso long\b/i, instead: '"while", "too long"' },
  { pattern: /\bwhoever\b/i, instead: 'the person or the role' },
  { pattern: /\bnobody's\b/i, instead: 'a subject' },
  { pattern: /\bwanted\b/i, instead: '"required", "requested", "expected"' },
  {
    pattern: /(\/\*\*|\/\/|^\s*\*|^#+|['"`]) ?(Of|For people)(?= [a-z`])/,
    instead: 'a noun first',
  },
  { pattern: /\b(door)?bells?\b/i, instead: '"channel", "notification"' },
  { pattern: /\bow(ed|es|ing)\b(?! to)/i, instead: '"due", "pending"' },
  { pattern: /\b(not|never) without\b(?! it\b)/i, instead: '"has", "always"' },
]
/** The contract, translations, and files whose subject is such a phrase. */
const FOREIGN_PROSE: readonly string[] = [
  'adapters/redis/pub-sub.ts',
  'docs/glossary.md',
  'docs/specification.md',
  'test/charts/sigcase/values.test.ts',
  'test/tidy.test.ts',
  'web/texts/sk.ts',
]

t.test('the walker sees the tree', async (t) => {
  t.ok(code.length > 50)
  t.ok(files.some(({ path }) => path === 'README.md'))
})

t.test('a page names only files that are there', async (t) => {
  const faults = files
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap(({ path, text }) => {
      const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, link]) =>
        normalize(join(path, '..', `${link}`)),
      )
      const named = [...text.matchAll(/`([a-z-]+\/[\w./-]+\.(?:ts|md|json))`/g)]
        .map(([, name]) => `${name}`)
        .filter((name) => CODE_FOLDERS.test(name))
      return [...links, ...named]
        .filter((name) => !existsSync(join(ROOT, name)))
        .map((name) => `${path} names ${name}`)
    })
  t.strictSame(faults, [])
})

/** Files that code outside tests names as `join(ROOT or import.meta.dirname, 'literal', …)`. */
function joinedFiles({ path, code: text }: SourceFile): string[] {
  const joined = /\bjoin\(\s*(ROOT|import\.meta\.dirname),((?:\s*'[^']*',?)+)\s*\)/g
  return [...text.matchAll(joined)].flatMap(([, base, parts = '']) => {
    const segments = [...parts.matchAll(/'([^']*)'/g)].map(([, segment]) => `${segment}`)
    const file = normalize(join(base === 'ROOT' ? '.' : join(path, '..'), ...segments))
    return /\.(ts|tsx|mjs|sh)$/.test(file) ? [file] : []
  })
}

t.test('a program that code starts by its path exists', async (t) => {
  const named = code
    .filter(({ path }) => !path.startsWith('test/'))
    .flatMap((source) => joinedFiles(source).map((file) => [source.path, file] as const))
  t.ok(named.length >= 5)
  t.strictSame(
    named.filter(([, file]) => !existsSync(join(ROOT, file))),
    [],
  )
})

t.test('files and lines keep their sizes', async (t) => {
  const faults = code.flatMap(({ path, text }) => {
    const lines = text.split('\n')
    const isLong = lines.length > MAXIMUM_LINES && !GENERATED.test(text)
    // The import of one name from a long path cannot be broken.
    const breakable = lines.map((line) => (/^import \w+ from '\S+'$/.test(line) ? '' : line))
    const long = breakable.findIndex((line) => [...line].length > MAXIMUM_COLUMNS)
    return [
      ...(isLong ? [`${path} has ${lines.length} lines`] : []),
      ...(long >= 0 ? [`${path}:${long + 1} is longer than ${MAXIMUM_COLUMNS} columns`] : []),
    ]
  })
  t.strictSame(faults, [])
})

t.test('a file opens with what it is for', async (t) => {
  // A test is named after the file that it tests.
  const named = code.filter(({ path }) => !path.endsWith('.test.ts'))
  const silent = named.filter(({ text }) => !/^(#!.*\n)?\/(\*\*|\/)/.test(text))
  t.strictSame(
    silent.map(({ path }) => path),
    [],
  )
})

t.test('code does without banned calls', async (t) => {
  const faults = code.flatMap(({ path, code: text }) =>
    BANS.filter(({ where, except }) => where.test(path) && !except?.test(path))
      .filter(({ pattern }) => path !== 'test/tidy.test.ts' && pattern.test(text))
      .map(({ pattern, why }) => `${path} has ${pattern.source}: ${why}`),
  )
  t.strictSame(faults, [])
})

t.test('no file names unfinished work, a registry or a path of one machine', async (t) => {
  const faults = files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        BANNED_WORDS.filter(({ pattern }) => pattern.test(line)).map(
          ({ why }) => `${path}:${index + 1}: ${why}`,
        ),
      ),
  )
  t.strictSame(faults, [])
})

t.test('texts use plain English', async (t) => {
  const faults = files
    .filter(({ path }) => !FOREIGN_PROSE.includes(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          BANNED_PHRASES.filter(({ pattern }) => pattern.test(line)).map(
            ({ pattern, instead }) =>
              `${path}:${index + 1} has ${pattern.exec(line)?.[0]}: write ${instead}`,
          ),
        ),
    )
  t.strictSame(faults, [])
})
