/** Which form of a report the header `Accept` asks for. */
import t from 'tap'
import { chooseReportFormat } from '../../api/report-format.ts'
import { cpuMs } from '../fixtures/cpu-time.ts'

const BROWSERS = [
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8,a/b;v=b3;q=0.7',
  'text/html, application/xml;q=0.9, image/png;q=0.9',
]

t.test('whatever got JSON before still does', async (t) => {
  const lists = [
    undefined,
    '',
    ',',
    '*/*',
    'application/*',
    'application/json',
    'application/json, text/plain, */*',
    'application/json; charset=utf-8',
    'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
    'image/png',
    'application/json;q=0',
    'application/xml, application/json',
    'application/pdf;q=0.5, application/json;q=0.6',
    'application/pdf;q=0.5, application/*;q=0.6',
    'application/pdf;q=0.1, */*',
    ...BROWSERS,
  ]
  for (const accept of lists) t.equal(chooseReportFormat(accept), 'json', accept ?? 'no header')
})

t.test('XML and PDF have to be named, and preferred', async (t) => {
  const lists = [
    ['application/xml', 'etsi'],
    ['application/pdf', 'pdf'],
    ['Application/PDF ; q=1.000', 'pdf'],
    ['application/xml;charset=utf-8', 'etsi'],
    ['application/pdf, */*;q=0.1', 'pdf'],
    ['application/json;q=0.5, application/pdf', 'pdf'],
    ['application/pdf;q=0.8, application/xml;q=0.9, application/json;q=0.1', 'etsi'],
    ['application/json;q=0, application/pdf;q=0.001, */*', 'pdf'],
  ] as const
  for (const [accept, format] of lists) t.equal(chooseReportFormat(accept), format, accept)
})

t.test('a weight that is not valid, or zero, asks for nothing', async (t) => {
  for (const weight of ['0', '0.000', '2', '-1', 'x', '', '0.1234', '1e0']) {
    t.equal(chooseReportFormat(`application/pdf;q=${weight}`), 'json', weight)
  }
})

t.test('a long header is read quickly', async (t) => {
  const startedMs = cpuMs()
  t.equal(chooseReportFormat(`${'application/pdf;q=0,'.repeat(800)}${' '.repeat(8_000)}`), 'json')
  t.equal(chooseReportFormat(`application/pdf;q=${' '.repeat(16_000)}`), 'json')
  t.ok(cpuMs() - startedMs < 500)
})
