/** The samples of the page run where their language is installed, and agree with what we send. */
import { Buffer } from 'node:buffer'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import t from 'tap'
import { webhookHeaders } from '../../../domain/cases/webhook-request.ts'
import { has } from '../../e2e/harness.ts'

const run = promisify(execFile)
const PAGE = readFileSync(
  join(import.meta.dirname, '../../../docs/how-to/receive-webhooks.md'),
  'utf8',
)

interface Vector {
  secret: string
  id: string
  t: number
  body: string
  'Service-Signature': string
  'webhook-signature': string
}

/** The last block of the page in a language. */
function block(language: string): string {
  const [, text] =
    [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].at(-1) ?? []
  if (text === undefined) throw new Error(`no block in ${language}`)
  return text
}

const vectors = JSON.parse(block('json')) as Vector[]

/** What a verifier is asked: secret, header, body as octets, seconds. */
type Question = [secret: string, header: string, body: Buffer, nowSeconds: number]

const QUESTIONS = vectors.flatMap(({ secret, t: at, body, 'Service-Signature': header }) => {
  const octets = Buffer.from(body)
  const changed = Buffer.from(octets)
  changed[10] = (changed[10] ?? 0) ^ 1
  const questions: [boolean, string, Question][] = [
    [true, 'as it was sent', [secret, header, octets, at]],
    [true, 'at the end of the tolerance', [secret, header, octets, at + 300]],
    [true, 'with a member that came later', [secret, `${header},v2=00`, octets, at]],
    [false, 'too old', [secret, header, octets, at + 301]],
    [false, 'from the future', [secret, header, octets, at - 301]],
    [false, 'another secret', [`${secret}x`, header, octets, at]],
    [false, 'another body', [secret, header, changed, at]],
    [false, 'another time', [secret, header.replace(String(at), String(at + 1)), octets, at]],
    [false, 'no header', [secret, '', octets, at]],
    [false, 'a header of another form', [secret, header.replace('v1=', 'v0='), octets, at]],
    [false, 'half a signature', [secret, header.slice(0, -32), octets, at]],
    [false, 'something before', [secret, `x${header}`, octets, at]],
  ]
  return questions
})
const ARGUMENTS = QUESTIONS.flatMap(([, , [secret, header, body, nowSeconds]]) => [
  Buffer.from(secret).toString('hex'),
  Buffer.from(header).toString('hex'),
  body.toString('hex'),
  String(nowSeconds),
])

interface Sample {
  language: string
  program: string
  /** Where the sample lies, and the program that puts the questions to it. */
  files: (sample: string) => Record<string, string>
  commands: readonly (readonly string[])[]
}

const TYPESCRIPT_MAIN = `
import process from 'node:process'
import { isGenuine } from './webhook.mts'
const values = process.argv.slice(2).map((hex) => Buffer.from(hex, 'hex'))
for (let i = 0; i < values.length; i += 4) {
  const now = Number(process.argv[i + 5])
  console.log(isGenuine(values[i].toString(), values[i + 1].toString(), values[i + 2], now))
}
`
const PYTHON_MAIN = `
import sys
from webhook import is_genuine
a = sys.argv[1:]
for i in range(0, len(a), 4):
    secret, header, body = (bytes.fromhex(text) for text in a[i:i + 3])
    print(str(is_genuine(secret.decode(), header.decode(), body, int(a[i + 3]))).lower())
`
const PHP_MAIN = `<?php
require __DIR__ . '/webhook.php';
foreach (array_chunk(array_slice($argv, 1), 4) as [$secret, $header, $body, $now]) {
    $holds = isGenuine(hex2bin($secret), hex2bin($header), hex2bin($body), (int) $now);
    echo $holds ? 'true' : 'false', "\\n";
}
`
const JAVA_MAIN = `
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
class Main {
    static byte[] octets(String hex) { return HexFormat.of().parseHex(hex); }
    static String text(String hex) { return new String(octets(hex), StandardCharsets.UTF_8); }
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < a.length; i += 4) {
            long now = Long.parseLong(a[i + 3]);
            byte[] body = octets(a[i + 2]);
            System.out.println(Webhook.isGenuine(text(a[i]), text(a[i + 1]), body, now));
        }
    }
}
`

const SAMPLES: readonly Sample[] = [
  {
    language: 'typescript',
    program: process.execPath,
    files: (sample) => ({ 'webhook.mts': sample, 'main.mts': TYPESCRIPT_MAIN }),
    commands: [[process.execPath, 'main.mts']],
  },
  {
    language: 'python',
    program: 'python3',
    files: (sample) => ({ 'webhook.py': sample, 'main.py': PYTHON_MAIN }),
    commands: [['python3', '-B', 'main.py']],
  },
  {
    language: 'php',
    program: 'php',
    files: (sample) => ({ 'webhook.php': sample, 'main.php': PHP_MAIN }),
    commands: [['php', '-n', 'main.php']],
  },
  {
    language: 'java',
    program: 'javac',
    files: (sample) => ({ 'Webhook.java': sample, 'Main.java': JAVA_MAIN }),
    commands: [
      ['javac', 'Main.java', 'Webhook.java'],
      ['java', '-cp', '.', 'Main'],
    ],
  },
]

/** @returns what the sample says to every question */
async function runSample({ language, files, commands }: Sample): Promise<boolean[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sigcase-sample-'))
  try {
    for (const [name, text] of Object.entries(files(block(language)))) {
      await writeFile(join(folder, name), text)
    }
    let output = ''
    for (const [index, [program = '', ...args]] of commands.entries()) {
      const isLast = index === commands.length - 1
      const all = isLast ? [...args, ...ARGUMENTS] : args
      output = (await run(program, all, { cwd: folder })).stdout
    }
    return output
      .trim()
      .split('\n')
      .map((line) => line === 'true')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

t.test('the vectors are what this service sends', async (t) => {
  t.ok(vectors.length >= 2)
  t.ok(
    vectors.some(({ secret, body }) => /[^ -~]/.test(secret) && /[^ -~]/.test(body)),
    'one is not ASCII',
  )
  for (const { secret: signingSecret, id, t: at, body, ...expected } of vectors) {
    const event = { eventId: id, type: 'case-cancelled', occurredAt: '' } as const
    const now = new Date(at * 1000)
    const headers = webhookHeaders({ event, deliveryId: 'd', body, now, signingSecret })
    t.match(headers, { ...expected, 'webhook-id': id, 'webhook-timestamp': String(at) })
  }
})

for (const sample of SAMPLES) {
  const { language, program } = sample
  const skip = (await has(program)) ? false : `${program} is not there`
  t.test(`the sample in ${language} distinguishes genuine from forged`, { skip }, async (t) => {
    const answers = await runSample(sample)
    t.equal(answers.length, QUESTIONS.length)
    for (const [index, [expected, name]] of QUESTIONS.entries()) {
      t.equal(answers[index], expected, name)
    }
  })
}

t.test('every language has its sample', async (t) => {
  for (const language of ['typescript', 'python', 'php', 'csharp', 'java']) t.ok(block(language))
})
