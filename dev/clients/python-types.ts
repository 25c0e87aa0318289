/** Generates the types of the Python client: a `TypedDict` for each object of the API. */
import {
  capitalise,
  listTypes,
  type Field,
  type NamedType,
  type OpenApiDocument,
  type Type,
} from './model.ts'
import { wrapText } from './typescript-types.ts'

/** Path of the generated file from the root of the repository. */
export const PYTHON_TYPES = 'clients/python/src/sigcase/types.py'

const PLAIN = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
  unknown: 'Any',
}

interface Class {
  name: string
  text: string
  fields: readonly { name: string; annotation: string; text: string }[]
}

function literal(value: string | number | boolean | null): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

function singular(name: string): string {
  return name.endsWith('ies') ? name.replace(/ies$/, 'y') : name.replace(/s$/, '')
}

/** Gives every nested object a class: the name of its owner and of its member. */
class Classes {
  readonly list: Class[] = []
  /** Names by shape, so that equal objects of one API share a class. */
  readonly #nested = new Map<string, string>()
  readonly #taken: Set<string>

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken)
  }

  #nest(owner: string, type: Type & { kind: 'record' }): string {
    const shape = JSON.stringify(type)
    const known = this.#nested.get(shape)
    if (known !== undefined) return known
    if (this.#taken.has(owner)) return this.#nest(`${owner}_`, type)
    this.#taken.add(owner)
    this.#nested.set(shape, owner)
    this.add(owner, type.fields, '')
    return owner
  }

  add(name: string, fields: readonly Field[], text: string): void {
    const printed = fields.map(({ name: field, type, isRequired, text }) => {
      const annotation = this.print(type, name + capitalise(field))
      return {
        name: field,
        annotation: isRequired ? annotation : `NotRequired[${annotation}]`,
        text,
      }
    })
    this.list.push({ name, text, fields: printed })
  }

  /** @param owner name for the class of an object without a name */
  print(type: Type, owner: string): string {
    switch (type.kind) {
      case 'plain':
        return PLAIN[type.plain]
      case 'literals':
        return `Literal[${type.values.map(literal).join(', ')}]`
      case 'reference':
        return type.name
      case 'list':
        return `list[${this.print(type.of, singular(owner))}]`
      case 'map':
        return `dict[str, ${this.print(type.of, owner)}]`
      case 'record':
        return this.#nest(owner, type)
      case 'union':
        return type.of.map((one, index) => this.print(one, `${owner}${index + 1}`)).join(' | ')
    }
  }
}

function printClass({ name, text, fields }: Class): string {
  const head = text === '' ? [] : [`    """${text.replaceAll('"""', "'''")}"""`, '']
  const members = fields.flatMap(({ name: field, annotation, text }) => [
    ...wrapText(text, 90).map((line) => `    #: ${line}`),
    `    ${field}: ${annotation}`,
  ])
  return [`class ${name}(TypedDict):`, ...head, ...members].join('\n')
}

/** A quoted alias may name a class that comes later. */
function printAlias({ name, type, text }: NamedType, classes: Classes): string {
  const comment = wrapText(text, 94).map((line) => `#: ${line}\n`)
  const printed = classes.print(type, name).replaceAll('\\', '\\\\').replaceAll("'", "\\'")
  return `${comment.join('')}${name}: TypeAlias = '${printed}'`
}

/** @returns the text of {@link PYTHON_TYPES} */
export function pythonTypes(document: OpenApiDocument): string {
  const types = listTypes(document)
  const classes = new Classes(types.map(({ name }) => name))
  const aliases = types.filter(({ type }) => type.kind !== 'record')
  for (const { name, type, text } of types) {
    if (type.kind === 'record') classes.add(name, type.fields, text)
  }
  const printedAliases = aliases.map((alias) => printAlias(alias, classes))
  return [
    '"""Types of the API. Made by `npm run generate` from api/openapi.json; do not edit."""',
    '',
    'from __future__ import annotations',
    '',
    'from typing import Any, Literal, NotRequired, TypeAlias, TypedDict',
    '',
    '#: Version of the API that this client was made for.',
    `API_VERSION = ${JSON.stringify(document.info.version)}`,
    '',
    ...classes.list.map((one) => `\n${printClass(one)}\n`),
    '',
    printedAliases.join('\n'),
    '',
  ].join('\n')
}
