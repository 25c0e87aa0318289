/** What every answer says: it holds personal data and links, and nobody keeps them. */
export const ANSWER_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const
