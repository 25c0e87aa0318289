/** The reference of the command line, generated from its parser. */
import { buildParser } from '../cli/sigcase/run.ts'
import {
  FAILED_EXIT_CODE,
  FINDINGS_EXIT_CODE,
  NOT_DONE_EXIT_CODE,
  USAGE_EXIT_CODE,
} from '../cli/sigcase/exit-codes.ts'
import { MADE_BY, table } from './markdown.ts'

/** Commands in the order of the page; programs of their own print their options with `--help`. */
const COMMANDS: readonly string[] = [
  'cases create',
  'cases list',
  'cases get',
  'cases watch',
  'cases wait',
  'cases cancel',
  'cases remind',
  'cases timeline',
  'cases download',
  'deliveries list',
  'deliveries failed',
  'deliveries redeliver',
  'devices list',
  'devices register',
  'devices remove',
  'devices open',
  'tenant create',
  'tenant list',
  'doctor',
]

const EXIT_CODES: readonly (readonly [number, string])[] = [
  [0, 'success'],
  [FAILED_EXIT_CODE, 'the service refused the request or did not answer'],
  [USAGE_EXIT_CODE, 'wrong arguments, or a file that cannot be read or written'],
  [NOT_DONE_EXIT_CODE, '`cases wait`: the case ended without being DONE, or not in time'],
  [FINDINGS_EXIT_CODE, '`doctor`: a check failed'],
]

/** Returns the help of a command as the terminal shows it. */
const readHelp = (command = '') => buildParser(command.split(' ').filter(Boolean)).getHelp()

/** Builds `docs/reference/command-line.md`. */
export async function commandLinePage(): Promise<string> {
  const sections: string[] = []
  for (const command of COMMANDS) {
    sections.push(`## \`sigcase ${command}\``, '', '```text', await readHelp(command), '```', '')
  }
  return [
    MADE_BY,
    '# The command line',
    '',
    'Generated from the commands in `cli/sigcase/`.',
    '[How to use the command line](../how-to/use-the-command-line.md).',
    '',
    '```text',
    await readHelp(),
    '```',
    '',
    'The commands `verify` to `demo`, `keyring` and `index` are programs of their own, which print',
    'their options with `--help`. All other commands follow below.',
    '',
    '## Exit codes',
    '',
    ...table(
      ['code', 'meaning'],
      EXIT_CODES.map(([code, meaning]) => [String(code), meaning]),
    ),
    '',
    '`sigcase verify` and `sigcase verify-evidence` have exit codes of their own:',
    '[Verify a PDF](../how-to/verify-a-pdf.md).',
    '',
    ...sections,
  ].join('\n')
}
