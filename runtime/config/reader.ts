/** Reads configuration from environment variables and reports all faults together. */

/** Lists every invalid variable with the reason. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(faults: readonly string[]) {
    super(`The configuration is invalid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads single variables and collects their faults. */
export class EnvironmentReader {
  readonly faults: string[] = []
  readonly #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Whether the variable is set to more than white space; the value may be invalid. */
  has(name: string): boolean {
    return (this.#environment[name]?.trim() ?? '') !== ''
  }

  /**
   * Reads one variable; an absent or empty one gives the fallback.
   *
   * @param wanted completes the fault `NAME: "text" is not …`
   * @param parse gives the value, or undefined when the text is invalid
   */
  read<T>(name: string, fallback: T, wanted: string, parse: (text: string) => T | undefined): T {
    return this.#read(name, fallback, parse, (text) => `"${text}" is not ${wanted}`)
  }

  /**
   * Like {@link read}, but a fault does not repeat the value.
   *
   * @param wanted completes the fault `NAME: it is not …`; a function gets the invalid text
   */
  readSecret(
    name: string,
    wanted: string | ((text: string) => string),
    parse: (text: string) => string | undefined,
  ): string | undefined {
    const describe = typeof wanted === 'string' ? () => wanted : wanted
    return this.#read<string | undefined>(
      name,
      undefined,
      parse,
      (text) => `it is not ${describe(text)}`,
    )
  }

  /** Like {@link read}, for a required variable. @returns '' when it is absent or invalid */
  readNeeded(name: string, wanted: string, parse: (text: string) => string | undefined): string {
    if (!this.has(name)) this.faults.push(`${name} is required: ${wanted}`)
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
