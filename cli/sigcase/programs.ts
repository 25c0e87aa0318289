/** The commands of `sigcase` that are programs of their own, and are also scripts of npm. */
import process from 'node:process'
import type { CommandModule } from 'yargs'

/** A program in `cli/` that reads the rest of the command line itself. */
interface Program {
  /** The words that name the command. */
  words: readonly string[]
  describe: string
  load: () => Promise<unknown>
}

const PROGRAMS: readonly Program[] = [
  {
    words: ['verify'],
    describe: 'validate the signatures of a PDF offline',
    load: () => import('../verify.ts'),
  },
  {
    words: ['verify-evidence'],
    describe: 'check an evidence PDF against its signed PDF offline',
    load: () => import('../verify-evidence.ts'),
  },
  {
    words: ['augment'],
    describe: 'add a time-stamp to an archived PDF',
    load: () => import('../augment.ts'),
  },
  {
    words: ['token'],
    describe: 'print a token of the service on this machine',
    load: () => import('../token.ts'),
  },
  {
    words: ['erase'],
    describe: 'request the erasure of an ended case of the service on this machine',
    load: () => import('../erase.ts'),
  },
  {
    words: ['archive'],
    describe: 'move ended cases to the object store',
    load: () => import('../archive.ts'),
  },
  {
    words: ['restore'],
    describe: 'create the resources of archived cases again',
    load: () => import('../restore.ts'),
  },
  {
    words: ['keyring', 'create'],
    describe: 'create the keyring of a service on a cluster',
    load: () => import('../make-keyring.ts'),
  },
  {
    words: ['keyring', 'rotate'],
    describe: 'replace keys of a service',
    load: () => import('../rotate-keys.ts'),
  },
  {
    words: ['keyring', 'split'],
    describe: 'divide a keyring among the processes',
    load: () => import('../split-keyring.ts'),
  },
  {
    words: ['index', 'rebuild'],
    describe: 'build the index of the cases of a cluster again',
    load: () => import('../rebuild-index.ts'),
  },
  {
    words: ['kms-certificates'],
    describe: 'issue certificates for the keys in Cloud KMS or Vault',
    load: () => import('../kms-certificates.ts'),
  },
  {
    words: ['gcs-lifecycle'],
    describe: 'print or set the lifecycle rules of the bucket',
    load: () => import('../gcs-lifecycle.ts'),
  },
  {
    words: ['demo'],
    describe: 'run a whole case against the service on this machine',
    load: () => import('../demo.ts'),
  },
]

const isCalled = ({ words }: Program, args: readonly string[]) =>
  words.every((word, index) => args[index] === word)

/**
 * Runs a program when the command line names one. The program sees its own arguments only, and sets
 * the exit code.
 *
 * @returns whether a program was named
 */
export async function runProgram(args: readonly string[]): Promise<boolean> {
  const program = PROGRAMS.find((one) => isCalled(one, args))
  if (!program) return false
  process.argv.splice(2, program.words.length)
  await program.load()
  return true
}

/** Returns the programs as commands, for help and completion; {@link runProgram} runs them. */
export function programCommands(): CommandModule[] {
  const single = PROGRAMS.filter(({ words }) => words.length === 1)
  const grouped = Map.groupBy(
    PROGRAMS.filter(({ words }) => words.length === 2),
    ({ words }) => words[0] as string,
  )
  const commandOf = (name: string, describe: string): CommandModule => ({
    command: name,
    describe,
    handler: () => undefined,
  })
  const groups = [...grouped].map(([name, programs]): CommandModule => ({
    command: name,
    describe: programs.map(({ describe }) => describe).join('; '),
    builder: (builder) =>
      builder
        .command(programs.map(({ words, describe }) => commandOf(words[1] as string, describe)))
        .demandCommand(1, 1, 'Name a command'),
    handler: () => undefined,
  }))
  return [
    ...single.map(({ words, describe }) => commandOf(words[0] as string, describe)),
    ...groups,
  ]
}
