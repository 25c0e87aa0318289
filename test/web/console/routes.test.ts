import t from 'tap'
import { caseLink, createLikeLink, LINKS, routeOf } from '../../../web/console/routes.ts'

t.test('every link leads to its page, and an unknown one to the list', async (t) => {
  for (const [page, link] of Object.entries(LINKS)) t.same(routeOf(link), { page })
  const caseId = '3f0c4a52-6f0e-4d8b-9a57-0c1c5a0b7e21'
  t.same(routeOf(caseLink(caseId)), { page: 'case', caseId })
  t.same(routeOf(createLikeLink(caseId)), { page: 'create', like: caseId })
  for (const hash of ['', '#', '#/cases/../x', '#/nothing'])
    t.same(routeOf(hash), { page: 'cases' })
})
