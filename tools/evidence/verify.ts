/** Verifies an evidence PDF with its signed PDF, offline: link by link, to the first broken one. */
import { DOCUMENT_LINKS } from './document-links.ts'
import { TRAIL_LINKS } from './trail-links.ts'
import { BrokenLink, type EvidenceFiles, type Link, type Work } from './work.ts'

export const LINKS: readonly Link[] = [...TRAIL_LINKS, ...DOCUMENT_LINKS]

export interface LinkResult {
  link: string
  holds: boolean
  /** What was found, or what does not fit. */
  detail: string
}

function startOf(files: EvidenceFiles): Work {
  const nowhere = { sha256: '', length: 0 }
  return {
    ...files,
    anchors: files.trust?.certificates ?? [],
    attachments: new Map(),
    audit: {
      version: 1,
      tenant: '',
      caseId: '',
      entries: [],
      openings: {},
      head: { sequence: 0, hash: '' },
    },
    original: nowhere,
    issued: nowhere,
    own: [],
  }
}

/**
 * Checks one link after the other; the first that is broken is the last that is told.
 *
 * @throws nothing for what is wrong with the files: a file that cannot be read is a broken link
 */
export async function* verifyEvidence(files: EvidenceFiles): AsyncGenerator<LinkResult> {
  const work = startOf(files)
  for (const { name, check } of LINKS) {
    try {
      yield { link: name, holds: true, detail: await check(work) }
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      const known = error instanceof BrokenLink
      yield { link: name, holds: false, detail: known ? detail : `cannot be checked: ${detail}` }
      return
    }
  }
}
