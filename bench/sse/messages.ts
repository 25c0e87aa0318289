/** Messages between the processes of the row `sse`. */

/** Data about a server for the kiosks. */
export interface Target {
  port: number
  tenantToken: string
  caseId: string
  participantId: string
}

/** Order of the row to a server. */
export type ServerOrder = 'memory' | 'watch' | 'stalls'

/** Report of a server to the row; it has one member. */
export interface ServerReport {
  ready?: Target
  rssBytes?: number
  longestStallMs?: number
}

/** Order of the row to the kiosks: connect some, or hand over cases at a steady rate. */
export type KiosksOrder =
  | { connect: { from: number; to: number } }
  | { disconnect: true }
  | { open: { count: number; everyMs: number } }

export interface Opened {
  /** Milliseconds from the tenant's request to the kiosk's event. */
  latenciesMs: number[]
  lost: number
  refused: number
}

/** Report of the kiosks to the row; it has one member. */
export interface KiosksReport {
  connected?: number
  disconnected?: true
  opened?: Opened
}
