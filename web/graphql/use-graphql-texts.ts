/** The sentences of the GraphQL page in the language of the page. */
import { GRAPHQL_ENGLISH, type GraphqlTexts } from '../texts/graphql-en.ts'
import { GRAPHQL_SLOVAK } from '../texts/graphql-sk.ts'
import type { Language } from '../texts/plural.ts'
import { useSpeech } from '../texts/use-texts.ts'

const GRAPHQL_TEXTS: Readonly<Record<Language, GraphqlTexts>> = {
  en: GRAPHQL_ENGLISH,
  sk: GRAPHQL_SLOVAK,
}

export const useGraphqlTexts = (): GraphqlTexts => GRAPHQL_TEXTS[useSpeech().language]
