/** People and places of an earlier case, for a new one. */
import { useEffect, useState } from 'preact/hooks'
import type { CaseAnswer } from '../../domain/contract/answers.ts'
import { randomId } from '../lib/random-id.ts'
import { useClient } from './client-context.ts'
import { draftLike, placesLike, type Draft } from './draft.ts'
import { useAction } from './use-action.ts'
import type { OpenedDocument } from './use-document.ts'

/** Takes people and places of an earlier case, once it was read and a document is open. */
export function useEarlier(
  like: string | undefined,
  opened: OpenedDocument | undefined,
  { draft, change }: { draft: Draft; change(changes: Partial<Draft>): void },
) {
  const client = useClient()
  const { state, run } = useAction()
  const [earlier, setEarlier] = useState<CaseAnswer | undefined>(undefined)
  useEffect(() => {
    if (like === undefined) return
    const read = () => client.ask<CaseAnswer>('GET', `/cases/${like}`)
    void run(read, (found) => {
      setEarlier(found)
      change(draftLike(found, draft, randomId))
    })
  }, [client, like])
  useEffect(() => {
    if (!earlier || !opened) return
    change({ places: placesLike(earlier, draft.people, opened.pdf.sizes, randomId) })
  }, [earlier, opened])
  return { earlier, fault: state.kind === 'failed' ? state.fault : undefined }
}
