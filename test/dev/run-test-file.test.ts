import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import t from 'tap'
import { readTotals, runTestFile, watchFileStarts } from '../../dev/run-test-file.ts'

t.test('totals are read from the last line that gives them', async (t) => {
  const output = '# { total: 1, pass: 1 }\n    # { total: 9, pass: 9 }\n'
  t.strictSame(readTotals(`${output}# { total: 7, pass: 3, fail: 1, todo: 1, skip: 2 }\n`), {
    passed: 3,
    failed: 1,
    skipped: 3,
  })
  t.equal(readTotals('ok 1 - nothing\n'), undefined)
})

t.test('a file that says nothing, or ends badly after good words, has failed', async (t) => {
  const file = join(t.testdir(), 'sample.mjs')
  const cases = [
    ["console.log('hello')", { passed: 0, failed: 1 }],
    ["console.log('# { total: 2, pass: 2 }'); process.exit(3)", { passed: 2, failed: 1 }],
    ["console.log('# { total: 2, pass: 1, fail: 1 }'); process.exit(1)", { passed: 1, failed: 1 }],
    ["console.log('# { total: 2, pass: 2 }')", { passed: 2, failed: 0 }],
  ] as const
  for (const [source, expected] of cases) {
    writeFileSync(file, source)
    t.match(await runTestFile([process.execPath, file]), expected, source)
  }
})

t.test('each file of a process has the whole time limit', async (t) => {
  let starts = 0
  const watch = watchFileStarts(() => starts++)
  for (const text of ['# file a\n1..1\n# fi', 'le b\n', ' # file c\n', '\n', '# file ', 'd\n']) {
    watch(text)
  }
  t.equal(starts, 3, 'also when the line arrives in pieces')
  const file = join(t.testdir(), 'hangs.mjs')
  writeFileSync(file, 'setInterval(() => {}, 1_000)')
  const hung = await runTestFile([process.execPath, file], { fileLimitMs: 100 })
  t.match(hung, { failed: 1, fault: 'took longer than 0.1 s' })
})
