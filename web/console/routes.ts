/** Addresses within the console; they are in the fragment, so the server does not see them. */
import { useLayoutEffect, useState } from 'preact/hooks'

export type Route =
  | { page: 'cases' }
  | { page: 'case'; caseId: string }
  /** `like`: the earlier case whose people and places are used again. */
  | { page: 'create'; like?: string }
  | { page: 'statistics' }
  | { page: 'webhooks' }
  | { page: 'devices' }

const LIKE = /^#\/new\/([0-9a-f-]{36})$/
const CASE = /^#\/cases\/([0-9a-f-]{36})$/

export const LINKS = {
  cases: '#/cases',
  create: '#/new',
  statistics: '#/statistics',
  webhooks: '#/webhooks',
  devices: '#/devices',
} as const

/** The address of a case. */
export const caseLink = (caseId: string): string => `${LINKS.cases}/${caseId}`

/** The address of a new case with the people and places of an earlier one. */
export const createLikeLink = (caseId: string): string => `${LINKS.create}/${caseId}`

/** The page of a fragment; an unknown one leads to the list. */
export function routeOf(hash: string): Route {
  const [, caseId] = CASE.exec(hash) ?? []
  if (caseId !== undefined) return { page: 'case', caseId }
  const [, like] = LIKE.exec(hash) ?? []
  if (like !== undefined) return { page: 'create', like }
  const found = Object.entries(LINKS).find(([, link]) => link === hash)
  return { page: (found?.[0] ?? 'cases') as Exclude<Route['page'], 'case'> }
}

/** The page that is shown now. */
export function useRoute(): Route {
  const [hash, setHash] = useState(window.location.hash)
  // Before the paint: the links of the page can be clicked afterwards.
  useLayoutEffect(() => {
    const onChange = () => setHash(window.location.hash)
    window.addEventListener('hashchange', onChange)
    return () => window.removeEventListener('hashchange', onChange)
  }, [])
  return routeOf(hash)
}

/** Goes to another page of the console. */
export function go(link: string): void {
  window.location.hash = link
}
