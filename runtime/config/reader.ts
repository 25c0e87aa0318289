/** Reads configuration from environment variables and reports all faults together. */
import {
  declarationOf,
  parseVariable,
  ruleOf,
  type VariableName,
  type VariableValue,
} from './variables/schema.ts'

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
  readonly #isOnCluster: boolean

  /** @param isOnCluster whether absent variables have the defaults of the processes of a cluster */
  constructor(environment: Environment, { isOnCluster = false } = {}) {
    this.#environment = environment
    this.#isOnCluster = isOnCluster
  }

  /** Whether the variable is set to more than white space; the value may be invalid. */
  has(name: string): boolean {
    return this.#text(name) !== ''
  }

  /**
   * Reads a declared variable.
   *
   * @returns its default, or undefined, when it is absent or invalid
   */
  get<N extends VariableName>(name: N): VariableValue<N> {
    const declaration = declarationOf(name)
    const standard = this.#isOnCluster ? declaration.onCluster : declaration.default
    const text = this.#text(name)
    if (text === '') return standard as VariableValue<N>
    const value = parseVariable(declaration, text)
    if (value !== undefined) return value as VariableValue<N>
    const given = declaration.isSecret ? 'it' : `"${text}"`
    this.faults.push(`${name}: ${given} is not ${ruleOf(declaration, text)}`)
    return standard as VariableValue<N>
  }

  /** Reads a declared variable that is required here. @returns '' when it is absent or invalid */
  getRequired<N extends VariableName>(name: N): NonNullable<VariableValue<N>> | '' {
    if (!this.has(name)) this.faults.push(`${name} is required: ${declarationOf(name).summary}`)
    return this.get(name) ?? ''
  }

  /**
   * Reads a variable that only one command uses; an absent or empty one gives the fallback.
   *
   * @param rule completes the fault `NAME: "text" is not …`
   * @param parse gives the value, or undefined when the text is invalid
   */
  read<T>(name: string, fallback: T, rule: string, parse: (text: string) => T | undefined): T {
    const text = this.#text(name)
    if (text === '') return fallback
    const value = parse(text)
    if (value !== undefined) return value
    this.faults.push(`${name}: "${text}" is not ${rule}`)
    return fallback
  }

  /** Like {@link read}, for a required variable. @returns '' when it is absent or invalid */
  readNeeded(name: string, rule: string, parse: (text: string) => string | undefined): string {
    if (!this.has(name)) this.faults.push(`${name} is required: ${rule}`)
    return this.read(name, '', rule, parse)
  }

  #text(name: string): string {
    return this.#environment[name]?.trim() ?? ''
  }
}
