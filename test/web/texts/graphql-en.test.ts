/** The GraphQL page says everything in both languages, and nothing in vain (S13). */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { GRAPHQL_ENGLISH, type GraphqlTexts } from '../../../web/texts/graphql-en.ts'
import { GRAPHQL_SLOVAK } from '../../../web/texts/graphql-sk.ts'

const WEB = join(import.meta.dirname, '../../../web')
const KEYS = Object.keys(GRAPHQL_ENGLISH) as (keyof GraphqlTexts)[]

t.test('both languages have every sentence, each in its own words', async (t) => {
  t.strictSame(Object.keys(GRAPHQL_SLOVAK), KEYS)
  for (const key of KEYS) {
    t.not(GRAPHQL_SLOVAK[key], GRAPHQL_ENGLISH[key], `${key} is translated`)
    t.notMatch(GRAPHQL_SLOVAK[key], /, alebo | [aikosuvz] (?=\S)/i, `${key}: Slovak typography`)
  }
})

t.test('every sentence is used', async (t) => {
  const views = globSync('graphql/*.{ts,tsx}', { cwd: WEB })
  const all = views.map((path) => readFileSync(join(WEB, path), 'utf8')).join('\n')
  t.strictSame(
    KEYS.filter((key) => !new RegExp(`\\b${key}\\b`).test(all)),
    [],
  )
})
