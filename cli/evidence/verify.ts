/** Verifies an evidence PDF with its signed PDF offline, up to the first broken link. */
import { DOCUMENT_LINKS } from './document-links.ts'
import { TRAIL_LINKS } from './trail-links.ts'
import { BrokenLink, type EvidenceFiles, type Link, type Work } from './work.ts'

export const LINKS: readonly Link[] = [...TRAIL_LINKS, ...DOCUMENT_LINKS]

export interface LinkResult {
  link: string
  holds: boolean
  /** Finding of the check, or description of the mismatch. */
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
 * Checks one link after the other, and stops after the first broken one.
 *
 * A file that cannot be read is a broken link, not an exception.
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
