/** Keeps people who choose no place, or the same one, from signing over each other. */
import { useRef } from 'preact/hooks'
import type { CaseDefinitionAnswer } from '../../domain/contract/participant-answers.ts'
import type { ParticipantClient } from '../lib/client.ts'
import type { OpenPdf } from './pdf.ts'
import { isTaken, suggestedPlace } from './place.ts'
import type { Draft } from './use-draft.ts'

/** A slower answer does not keep anybody from signing. */
const ANSWER_LIMIT_MS = 5_000

interface FreePlaceOptions {
  definition: CaseDefinitionAnswer
  client: ParticipantClient
  draft: Draft
  pdf: OpenPdf | undefined
}

export interface FreePlace {
  /** Puts the signature at a place on the last page. */
  suggest(): Promise<void>
  /**
   * Moves a place at which another participant signs to a free one, if there is one. A participant
   * who then goes back to the place knows, and stays there.
   *
   * @returns whether it was moved
   */
  avoidOthers(): Promise<boolean>
}

const inTime = <T>(asked: Promise<T>): Promise<T | undefined> =>
  Promise.race([
    asked,
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ANSWER_LIMIT_MS)),
  ])

/** @param options `pdf`: absent until the document is open */
export function useFreePlace({ definition, client, draft, pdf }: FreePlaceOptions): FreePlace {
  const others = useRef(definition.places?.taken ?? [])
  /** Places of others of which this participant knows, as JSON. */
  const known = useRef(new Set<string>())
  const pageWithOthers = async (number: number) => {
    const page = await pdf!.page(number)
    return { ...page, taken: [...page.taken, ...others.current] }
  }
  const suggest = async () => {
    const page = await pageWithOthers(pdf!.pageCount)
    draft.putPlace(suggestedPlace(page, definition))
  }
  const avoidOthers = async () => {
    const [own] = draft.places
    if (!draft.isFree || !own || definition.participants.total === 1) return false
    const outcome = await inTime(client.caseDefinition())
    if (outcome?.kind === 'answered') others.current = outcome.value.places?.taken ?? []
    const { size } = await pdf!.page(own.page)
    const isNew = (place: object) => !known.current.has(JSON.stringify(place))
    const taken = others.current.filter(isNew)
    if (!isTaken(own, { number: own.page, size, taken })) return false
    const page = await pageWithOthers(pdf!.pageCount)
    const place = suggestedPlace(page, definition)
    if (isTaken(place, page)) return false
    for (const other of others.current) known.current.add(JSON.stringify(other))
    draft.putPlace(place)
    return true
  }
  return { suggest, avoidOthers }
}
