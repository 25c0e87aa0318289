import t from 'tap'
import { PADES_ERRORS, PadesError, type PadesErrorCode } from '../../../pades/index.ts'
import { BackendFault, DocumentFault, documentFaultOf } from '../../../workers/finalise/fault.ts'

t.test('a document that intake would refuse is at fault when it is signed as well', async (t) => {
  const refused = [
    'NOT_A_PDF',
    'DAMAGED',
    'DAMAGED_AND_SIGNED',
    'ENCRYPTED',
    'NO_PAGES',
    'TOO_MANY_OBJECTS',
    'LIMIT_EXCEEDED',
    'CERTIFIED',
    'LOCKED',
    'DYNAMIC_XFA',
  ] as const satisfies readonly PadesErrorCode[]
  for (const code of refused) {
    const failure = { code: 'DOCUMENT_UNSIGNABLE', reason: PADES_ERRORS[code] } as const
    t.same(documentFaultOf(new PadesError(code)), failure, code)
    t.same(documentFaultOf(new DocumentFault(failure)), failure)
  }
  for (const code of ['PAGE_MISSING', 'BAD_PLACEMENT', 'BAD_DRAWING'] as const) {
    const failure = { code: 'SIGNATURE_UNUSABLE', reason: PADES_ERRORS[code] }
    t.same(documentFaultOf(new PadesError(code)), failure, code)
  }
})

t.test('what keys and authorities could not do can be tried again', async (t) => {
  const others = ['BAD_TIME_STAMP', 'REVOCATION_DATA_MISSING', 'CERTIFICATE_REVOKED'] as const
  for (const code of others) t.equal(documentFaultOf(new PadesError(code)), undefined, code)
  t.equal(documentFaultOf(new BackendFault({ reason: 'the authority is away' })), undefined)
  t.equal(documentFaultOf(new Error('ECONNREFUSED')), undefined)
})
