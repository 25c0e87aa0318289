/** Every sentence of the GraphQL page in Slovak. */
import type { GraphqlTexts } from './graphql-en.ts'

export const GRAPHQL_SLOVAK: GraphqlTexts = {
  heading: 'Vyskúšať GraphQL',
  lead: 'Napíšte dopyt alebo odber a spustite ho. Táto stránka je len na počítači služby.',
  tenant: 'Klient',
  getToken: 'Získať token',
  token: 'Prístupový token',
  noToken: 'Token nebol vydaný. Skontrolujte názov klienta.',
  noSchema: 'Schému sa nepodarilo načítať. Skontrolujte token.',
  query: 'Dopyt',
  variables: 'Premenné (JSON)',
  run: 'Spustiť',
  runHint: 'Ctrl alebo Cmd a Enter dopyt spustí. Ctrl a medzerník navrhne polia.',
  stop: 'Zastaviť',
  result: 'Výsledok',
  noResult: 'Zatiaľ tu nie je žiadny výsledok.',
  waiting: 'Čaká sa na zmeny prípadov…',
  ended: 'Odber sa skončil.',
  notJson: 'Premenné nie sú objekt JSON.',
  failed: 'Služba nie je dostupná.',
  schema: 'Schéma',
  schemaNeedsToken: 'Schéma sa zobrazí, len čo bude zadaný token.',
}
