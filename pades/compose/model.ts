/** What a composed document says: plain blocks, without any notion of what they are about. */

import type { Drawing } from '../appearance/drawing.ts'
import type { Modules } from './pictures.ts'

export type Language = 'sk' | 'en'

export interface Heading {
  readonly kind: 'heading'
  readonly level: 1 | 2
  readonly text: string
}

export interface Paragraph {
  readonly kind: 'paragraph'
  /** Line ends begin new paragraphs. */
  readonly text: string
  readonly tone?: 'normal' | 'muted'
  /** When it is not the language of the document. */
  readonly language?: Language
}

export interface KeyValues {
  readonly kind: 'keyValues'
  readonly rows: readonly {
    readonly label: string
    readonly value: string
    /** For digests and identifiers: typewriter letters that break anywhere. */
    readonly mono?: boolean
  }[]
}

export interface Table {
  readonly kind: 'table'
  readonly columns: readonly {
    readonly title: string
    /** Share of the width, relative to the other columns. */
    readonly weight: number
    readonly mono?: boolean
  }[]
  /** One text per column. */
  readonly rows: readonly (readonly string[])[]
}

export interface Timeline {
  readonly kind: 'timeline'
  readonly events: readonly {
    /** As shown, its zone included; line ends begin new lines. */
    readonly time: string
    readonly title: string
    readonly detail?: string
    /** In typewriter letters that break anywhere. */
    readonly digest?: string
  }[]
}

export interface Callout {
  readonly kind: 'callout'
  readonly title?: string
  readonly text: string
}

/** A square of modules, such as a QR code, or the drawing of a signer. */
export type Picture = { readonly modules: Modules } | { readonly drawing: Drawing }

/** A picture with text beside it. */
export interface Figure {
  readonly kind: 'figure'
  readonly picture: Picture
  /** What the picture shows, for those who do not see it. */
  readonly alt: string
  readonly widthPt: number
  readonly heightPt: number
  /** Lines beside the picture; the first one is strong. */
  readonly lines: readonly string[]
}

export interface Spacer {
  readonly kind: 'spacer'
  readonly heightPt: number
}

export interface PageBreak {
  readonly kind: 'pageBreak'
}

export type Block =
  Heading | Paragraph | KeyValues | Table | Timeline | Callout | Figure | Spacer | PageBreak

/** What a file is to the document that carries it (ISO 32000-2, table 43). */
export type Relationship = 'Source' | 'Data' | 'Alternative' | 'Supplement' | 'Unspecified'

export interface Attachment {
  /** File name; unique within the document. */
  readonly name: string
  readonly mediaType: string
  readonly bytes: Uint8Array
  readonly description: string
  readonly createdAt: Date
  readonly relationship: Relationship
}

export interface DocumentContent {
  readonly language: Language
  readonly title: string
  readonly subject?: string
  readonly author: string
  readonly createdAt: Date
  /** One line above and below the text of every page; the lower one ends in the page number. */
  readonly header?: string
  readonly footer?: string
  readonly blocks: readonly Block[]
  readonly attachments: readonly Attachment[]
}
