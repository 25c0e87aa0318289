/**
 * The configuration of all processes, declared once: the reader checks values against it, and
 * messages and the reference page are generated from it.
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { conformsTo } from '../../../domain/schema-faults.ts'
import { FORMS, type Form, type FormName } from '../forms.ts'
import { CLUSTER_VARIABLES } from './cluster-processes.ts'
import type { Notes } from './declare.ts'
import { OUTSIDE_VARIABLES } from './outside-services.ts'
import { SERVICE_VARIABLES } from './service.ts'

export const VARIABLES = Type.Object({
  ...SERVICE_VARIABLES,
  ...CLUSTER_VARIABLES,
  ...OUTSIDE_VARIABLES,
})

type Schemas = (typeof VARIABLES)['properties']
export type VariableName = keyof Schemas
/** The value of a variable; undefined when it is absent and has no default. */
export type VariableValue<N extends VariableName> = Schemas[N] extends { default: unknown }
  ? Static<Schemas[N]>
  : Static<Schemas[N]> | undefined

/** Keywords of a declaration, beside those of TypeBox. */
export type Declaration = TSchema &
  Notes & {
    form?: FormName
    unit?: string
    zero?: string
    onCluster?: unknown
    items?: { form: FormName }
    anyOf?: { const: string }[]
  }

/** Every schema in `VARIABLES` has notes; their keywords are not part of its type. */
export const declarationOf = (name: VariableName) =>
  VARIABLES.properties[name] as unknown as Declaration

const formOf = (name: FormName): Form => FORMS[name]

/** Says what a valid value is; completes "it is not …". @param text an invalid value */
export function ruleOf(declaration: Declaration, text = ''): string {
  const { form, unit, minimum, maximum, zero, items, maxItems, anyOf } = declaration
  if (anyOf) return `one of ${anyOf.map((word) => word.const).join(', ')}`
  if (items) {
    const { plural, rule } = formOf(items.form)
    const count = maxItems === undefined ? '' : `at most ${maxItems} `
    return `a list of ${count}${plural ?? rule}, separated by commas`
  }
  if (form !== undefined) return formOf(form).ruleFor?.(text) ?? formOf(form).rule
  const range = `a ${unit} from ${minimum} to ${maximum}`
  return zero === undefined ? range : `${range}; 0 for ${zero}`
}

/** Parses a text by its form or type. @returns undefined when it does not fit */
function parse(declaration: Declaration, text: string): unknown {
  const { type, form, items } = declaration
  if (items) {
    const parts = text.split(',').map((part) => formOf(items.form).parse(part.trim()))
    return parts.every((part) => part !== undefined) ? parts : undefined
  }
  if (form !== undefined) return formOf(form).parse(text)
  if (type !== 'integer') return text
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined
}

/** Reads the value of a variable from its text. @returns undefined when the text is invalid */
export function parseVariable(declaration: Declaration, text: string): unknown {
  const value = parse(declaration, text)
  return value !== undefined && conformsTo(declaration, value) ? value : undefined
}
