/** A case while it is being written, and the request that creates it. */
import type { CaseInput } from '../../domain/contract/case-input.ts'
import type { Language } from '../texts/plural.ts'
import type { CaseAnswer } from '../../domain/contract/answers.ts'
import { boxOf, type PageSize, type Place } from '../fields/places.ts'

export interface DraftPerson {
  key: string
  firstName: string
  lastName: string
  email: string
  phone: string
  language: Language
}

export interface Draft {
  title: string
  people: DraftPerson[]
  places: Place[]
  multiFactorType: '' | 'EMAIL' | 'SMS'
  /** Local time, as `datetime-local` writes it. */
  validUntil: string
  inPerson: boolean
  deviceId: string
  senderName: string
  replyTo: string
}

const DAYS = 14
const DATE_LENGTH = 10

/** Two weeks from now, at the end of the day. @param now local clock */
function standardDeadline(now: Date): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + DAYS, 12)
  return `${day.toISOString().slice(0, DATE_LENGTH)}T23:59`
}

/** A person without data. */
export const newPerson = (key: string, language: Language): DraftPerson => ({
  key,
  firstName: '',
  lastName: '',
  email: '',
  phone: '',
  language,
})

/** A case with one person without data. */
export const newDraft = (now: Date, key: string, language: Language): Draft => ({
  title: '',
  people: [newPerson(key, language)],
  places: [],
  multiFactorType: '',
  validUntil: standardDeadline(now),
  inPerson: false,
  deviceId: '',
  senderName: '',
  replyTo: '',
})

/** A draft with the people and the title of an earlier case. */
export const draftLike = (
  { title, participants, multiFactorType, quickSign = false, sender }: CaseAnswer,
  draft: Draft,
  newKey: () => string,
): Draft => ({
  ...draft,
  title,
  multiFactorType: multiFactorType ?? '',
  inPerson: quickSign,
  senderName: sender?.name ?? '',
  replyTo: sender?.replyTo ?? '',
  people: participants.map(({ firstName, lastName, email, phone = '', language }) => ({
    ...newPerson(newKey(), language),
    ...{ firstName, lastName, email, phone },
  })),
})

/**
 * The places of an earlier case on the pages of another document. The people have the order of that
 * case; a place on a page that the document does not have is left out.
 */
export const placesLike = (
  { participants }: Pick<CaseAnswer, 'participants'>,
  people: readonly Pick<DraftPerson, 'key'>[],
  sizes: readonly PageSize[],
  newKey: () => string,
): Place[] =>
  participants.flatMap(({ signatureFields = [] }, index) =>
    signatureFields.flatMap((field) => {
      const [size, person] = [sizes[field.page - 1], people[index]]
      if (!size || !person) return []
      return [{ key: newKey(), person: person.key, page: field.page, ...boxOf(field, size) }]
    }),
  )

/** An invalid time is sent as it is, so that the API names the rule. */
function instantOf(local: string): string {
  const time = new Date(local)
  return Number.isNaN(time.getTime()) ? local : time.toISOString()
}

function personInput(
  { key, firstName, lastName, email, phone, language }: DraftPerson,
  places: readonly Place[],
): CaseInput['participants'][number] {
  const fields = places.filter(({ person }) => person === key)
  return {
    firstName: firstName.trim(),
    lastName: lastName.trim(),
    email: email.trim(),
    language,
    ...(phone.trim() === '' ? {} : { phone: phone.trim() }),
    signatureFields: fields.map(({ page, x, y, width, height }, index) => ({
      id: `f${index + 1}`,
      page,
      x,
      y,
      width,
      height,
      unit: 'pt',
    })),
  }
}

/** The body of `POST /cases`; the API checks it. */
export function toInput(draft: Draft): CaseInput {
  const { title, people, places, multiFactorType, validUntil, inPerson, deviceId } = draft
  const name = draft.senderName.trim()
  const replyTo = draft.replyTo.trim()
  return {
    title: title.trim(),
    validUntil: instantOf(validUntil),
    ...(inPerson ? { quickSign: true } : {}),
    ...(inPerson && deviceId !== '' ? { device: { deviceId } } : {}),
    ...(multiFactorType === '' ? {} : { multiFactorType }),
    ...(name === '' && replyTo === ''
      ? {}
      : { sender: { ...(name && { name }), ...(replyTo && { replyTo }) } }),
    participants: people.map((person) => personInput(person, places)),
  }
}
