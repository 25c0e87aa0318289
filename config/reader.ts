/** Reads configuration from the environment, and tells everything that is wrong with it at once. */

/** Every variable that cannot be used, each with the reason. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads one variable after the other and collects what is wrong with them. */
export class EnvironmentReader {
  readonly faults: string[] = []
  readonly #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Whether the variable says anything, be it of use or not. */
  has(name: string): boolean {
    return (this.#environment[name]?.trim() ?? '') !== ''
  }

  /** @param parse gives the value, or undefined when the text is not one; `wanted` says what is */
  read<T>(name: string, fallback: T, wanted: string, parse: (text: string) => T | undefined): T {
    return this.#read(name, fallback, parse, (text) => `"${text}" is not ${wanted}`)
  }

  /** Like {@link read}; a fault does not repeat the value. */
  readSecret(
    name: string,
    wanted: string,
    parse: (text: string) => string | undefined,
  ): string | undefined {
    return this.#read<string | undefined>(name, undefined, parse, () => `it is not ${wanted}`)
  }

  /** Like {@link read}, of a variable without which nothing can be done; '' stands for it then. */
  readNeeded(name: string, wanted: string, parse: (text: string) => string | undefined): string {
    if (!this.has(name)) this.faults.push(`${name}: required, ${wanted}`)
    return this.read(name, '', wanted, parse)
  }

  #read<T>(
    name: string,
    fallback: T,
    parse: (text: string) => T | undefined,
    faultOf: (text: string) => string,
  ): T {
    const text = this.#environment[name]?.trim()
    if (text === undefined || text === '') return fallback
    const value = parse(text)
    if (value !== undefined) return value
    this.faults.push(`${name}: ${faultOf(text)}`)
    return fallback
  }
}
