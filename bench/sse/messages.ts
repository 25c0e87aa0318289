/** What the processes of the row `sse` tell each other. */

/** What the kiosks have to know of a server. */
export interface Target {
  port: number
  tenantToken: string
  caseId: string
  participantId: string
}

/** From the row to a server. */
export type ServerOrder = 'memory' | 'watch' | 'stalls'

/** From a server to the row: one member at a time. */
export interface ServerReport {
  ready?: Target
  rssBytes?: number
  longestStallMs?: number
}

/** From the row to the kiosks: connect these, or have so many handed over at a steady rate. */
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

/** From the kiosks to the row: one member at a time. */
export interface KiosksReport {
  connected?: number
  disconnected?: true
  opened?: Opened
}
