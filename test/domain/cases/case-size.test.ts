import t from 'tap'
import {
  cutToJsonBytes,
  findSizeFault,
  jsonBytes,
  LARGEST,
  MAXIMUM_CASE_BYTES,
  worstCaseBytes,
} from '../../../domain/cases/case-size.ts'
import {
  MAXIMUM_FIELDS_PER_PARTICIPANT,
  MAXIMUM_NAME_LENGTH,
  MAXIMUM_PARTICIPANTS,
} from '../../../domain/limits.ts'
import { participant, signatureCase } from '../../fixtures/signature-case.ts'

/** As many fields of as many people as a case takes, with ids made of a character. */
function crowded(character: string) {
  const [field] = participant(1).signatureFields
  const nameOf = (index: number) => String(index).padEnd(MAXIMUM_NAME_LENGTH, character)
  const signatureFields = Array.from({ length: MAXIMUM_FIELDS_PER_PARTICIPANT }, (_, index) => ({
    ...field!,
    id: nameOf(index),
  }))
  const participants = Array.from({ length: MAXIMUM_PARTICIPANTS }, (_, index) =>
    participant(index + 1, { signatureFields }),
  )
  return signatureCase({ participants })
}

t.test('octets are counted as the API server writes them', async (t) => {
  t.equal(jsonBytes('plain'), 7)
  t.equal(jsonBytes('ž'), 4)
  t.equal(jsonBytes('<&>'), 20)
  t.equal(jsonBytes('\u2028'), 8)
  t.equal(jsonBytes('"\u0001'), 10)
})

t.test('fifty people with fifty fields each fit, also with ids of a hundred letters', async (t) => {
  t.equal(findSizeFault(signatureCase()), undefined)
  t.equal(findSizeFault(crowded('x')), undefined)
})

t.test('what would not fit with every signature is too large', async (t) => {
  const fault = findSizeFault(crowded('ž'))
  t.match(fault, { limit: MAXIMUM_CASE_BYTES, message: /must have at most 1500000 octets/ })
  t.ok(fault && fault.bytes > MAXIMUM_CASE_BYTES)
})

t.test('places of the signer’s own are counted where they are allowed', async (t) => {
  const bytes = (definition: object) => worstCaseBytes(signatureCase({ definition }))
  const perPerson = (bytes({}) - bytes({ ownPlaces: false })) / 2
  t.ok(perPerson > 5_000, `${perPerson} octets for fifty rectangles`)
})

t.test('annotations are counted: kubectl apply keeps a copy of the file in one', async (t) => {
  const value = signatureCase()
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': 'x'.repeat(9_000) }
  const annotated = { ...value, metadata: { ...value.metadata, annotations } }
  t.ok(worstCaseBytes(annotated) >= worstCaseBytes(value) + 9_000)
})

t.test('the largest facts are as large as their schemas let them be', async (t) => {
  t.equal(LARGEST.fact.rectangles.length, MAXIMUM_FIELDS_PER_PARTICIPANT)
  t.ok(String(LARGEST.fact.rectangles[0]?.x).length >= 24)
})

t.test('a text is cut to octets in whole characters', async (t) => {
  t.equal(cutToJsonBytes('Test/1.0', 500), 'Test/1.0')
  t.equal(cutToJsonBytes('x'.repeat(501), 500).length, 500)
  t.equal(cutToJsonBytes('<'.repeat(500), 500).length, 83)
  t.equal(cutToJsonBytes('až😀', 4), 'a\u017e')
})
