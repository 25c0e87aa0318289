/** Reads what a certificate says of its being qualified (RFC 3739, 3.2.6; ETSI EN 319 412-5). */

import type { Certificate } from './certificate-reader.ts'
import { TAG } from './der.ts'
import { DerError, readDer } from './der-reader.ts'
import { readObjectIdentifier } from './der-values.ts'
import type { DerElement } from './der-reader.ts'
import { OID } from './object-identifiers.ts'

/** EN 319 412-5, 4.2 and 4.3. */
const QC = {
  compliance: '0.4.0.1862.1.1',
  sscd: '0.4.0.1862.1.4',
  type: '0.4.0.1862.1.6',
  legislation: '0.4.0.1862.1.7',
} as const

const QC_TYPES: Readonly<Record<string, QualifiedType>> = {
  '0.4.0.1862.1.6.1': 'eSig',
  '0.4.0.1862.1.6.2': 'eSeal',
  '0.4.0.1862.1.6.3': 'web',
}

/** What a qualified certificate is for. */
export type QualifiedType = 'eSig' | 'eSeal' | 'web'

export interface QualifiedStatements {
  /** The issuer says that it is an EU qualified certificate. */
  compliance: boolean
  /** The key lies in a qualified signature creation device. */
  sscd: boolean
  types: readonly QualifiedType[]
  /** Legislations of countries outside the EU under which alone it is qualified. */
  hasOtherLegislation: boolean
}

const elementsOf = ({ extensions }: Certificate, type: string): readonly DerElement[] => {
  const found = extensions.get(type)
  return found ? readDer(found.value).as(TAG.sequence).children : []
}

/** A certificate whose extension cannot be read says nothing with it. */
function orNothing<T>(read: () => T, nothing: T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof DerError) return nothing
    throw error
  }
}

/** The qualified certificate statements; all false when there are none that can be read. */
export function qualifiedStatements(certificate: Certificate): QualifiedStatements {
  const statements = orNothing(() => {
    const elements = elementsOf(certificate, OID.qualifiedStatements)
    return new Map(elements.map((it) => [readObjectIdentifier(it.child(0)), it]))
  }, new Map<string, DerElement>())
  const types = orNothing(() => {
    const stated = statements.get(QC.type)?.child(1).as(TAG.sequence).children ?? []
    return stated.map(readObjectIdentifier).flatMap((type) => QC_TYPES[type] ?? [])
  }, [])
  return {
    compliance: statements.has(QC.compliance),
    sscd: statements.has(QC.sscd),
    types: [...new Set(types)],
    hasOtherLegislation: statements.has(QC.legislation),
  }
}

/** Dotted OIDs of the certificate policies (RFC 5280, 4.2.1.4). */
export const certificatePolicies = (certificate: Certificate): readonly string[] =>
  orNothing(
    () =>
      elementsOf(certificate, OID.certificatePolicies).map((it) =>
        readObjectIdentifier(it.child(0)),
      ),
    [],
  )

/** Dotted OIDs of the attributes of the subject's name. */
export const subjectAttributeTypes = ({ subject }: Certificate): readonly string[] =>
  orNothing(
    () =>
      readDer(subject).children.flatMap((set) =>
        set.children.map((attribute) => readObjectIdentifier(attribute.child(0))),
      ),
    [],
  )
