/** The fields of a case in lists, which the query and the subscription of the console read. */

/** In GraphQL. */
export const LISTED_FIELDS = `
  id title status created
  participants { firstName lastName email status signedAt }
  originalDocument { size }`
