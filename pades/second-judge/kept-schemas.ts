/**
 * Has pkijs build the schema of each structure once. It compares what it reads with a schema, and
 * would build it anew for each certificate and time-stamp, which takes longer than to read them.
 * Nothing that is read changes a schema.
 *
 * Upstream change that removes it: pkijs keeps its schemas.
 */

import {
  Attribute,
  AuthorityKeyIdentifier,
  Certificate,
  EncapsulatedContentInfo,
  Extension,
  RelativeDistinguishedNames,
  TSTInfo,
} from 'pkijs'

/** A class of pkijs whose objects read themselves by a schema. */
interface SchemaClass {
  /** @param parameters names of the parts: plain values that the code of pkijs contains */
  schema(parameters?: object): unknown
}

// Those that a signed document has many of, or whose schema is large.
const CLASSES: readonly SchemaClass[] = [
  Attribute,
  AuthorityKeyIdentifier,
  Certificate,
  EncapsulatedContentInfo,
  Extension,
  RelativeDistinguishedNames,
  TSTInfo,
]

/** Has these classes of pkijs keep each schema that they build. */
export function keepSchemas(): void {
  for (const one of CLASSES) {
    const build = one.schema.bind(one)
    const kept = new Map<string, unknown>()
    one.schema = (parameters = {}) => {
      const key = JSON.stringify(parameters)
      const schema = kept.get(key) ?? build(parameters)
      kept.set(key, schema)
      return schema
    }
  }
}
