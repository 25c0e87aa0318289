/** Generates the types of the TypeScript client. */
import { format, resolveConfig } from 'prettier'
import { listTypes, type Field, type OpenApiDocument, type Type } from './model.ts'

/** Path of the generated file from the root of the repository. */
export const TYPESCRIPT_TYPES = 'clients/typescript/src/types.ts'

const PLAIN = { integer: 'number', unknown: 'unknown' } as Readonly<Record<string, string>>
const LINE_CHARACTERS = 90

/** Breaks a text into lines of a comment. */
export function wrapText(text: string, characters = LINE_CHARACTERS): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1)
    if (last === undefined || `${last} ${word}`.length > characters) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

function comment(text: string): string {
  const lines = wrapText(text.replaceAll('*/', '* /'))
  if (lines.length === 0) return ''
  if (lines.length === 1) return `/** ${lines[0]} */\n`
  return ['/**', ...lines.map((line) => ` * ${line}`), ' */', ''].join('\n')
}

function printField({ name, type, isRequired, text }: Field): string {
  return `${comment(text)}${JSON.stringify(name)}${isRequired ? '' : '?'}: ${printType(type)}`
}

function printRecord(fields: readonly Field[]): string {
  return `{\n${fields.map(printField).join('\n')}\n}`
}

function printType(type: Type): string {
  switch (type.kind) {
    case 'plain':
      return PLAIN[type.plain] ?? type.plain
    case 'literals':
      return type.values.map((value) => JSON.stringify(value)).join(' | ')
    case 'reference':
      return type.name
    case 'list':
      return `(${printType(type.of)})[]`
    case 'map':
      return `Record<string, ${printType(type.of)}>`
    case 'record':
      return printRecord(type.fields)
    case 'union':
      return type.of.map((one) => `(${printType(one)})`).join(' | ')
  }
}

/** @returns the text of {@link TYPESCRIPT_TYPES} */
export async function typescriptTypes(document: OpenApiDocument): Promise<string> {
  const types = listTypes(document).map(({ name, type, text }) => {
    if (type.kind === 'record') {
      return `${comment(text)}export interface ${name} ${printRecord(type.fields)}`
    }
    return `${comment(text)}export type ${name} = ${printType(type)}`
  })
  const text = [
    '/** Types of the API. Made by `npm run generate` from api/openapi.json; do not edit. */',
    '',
    '/** Version of the API that this client was made for. */',
    `export const API_VERSION = ${JSON.stringify(document.info.version)}`,
    '',
    types.join('\n\n'),
  ].join('\n')
  const options = await resolveConfig(import.meta.filename)
  return format(text, { ...options, parser: 'typescript' })
}
