/** What the page says when there is no report. */
import type { Texts } from '../texts/en.ts'
import type { FaultKind } from './ask.ts'

type Words = Readonly<{ heading: keyof Texts; text: keyof Texts; mayRetry?: true }>

/** Heading and text of each fault, and whether trying again can help. */
export const FAULT_WORDS: Readonly<Record<FaultKind, Words>> = {
  tooLarge: { heading: 'verifyTooLargeHeading', text: 'verifyTooLargeText' },
  notAPdf: { heading: 'verifyNotPdfHeading', text: 'verifyNotPdfText' },
  unreadable: { heading: 'verifyUnreadableHeading', text: 'verifyUnreadableText' },
  gone: { heading: 'verifyGoneHeading', text: 'verifyGoneText' },
  limited: { heading: 'verifyLimitedHeading', text: 'verifyLimitedText', mayRetry: true },
  offline: { heading: 'verifyOfflineHeading', text: 'verifyOfflineText', mayRetry: true },
  unavailable: {
    heading: 'verifyUnavailableHeading',
    text: 'verifyUnavailableText',
    mayRetry: true,
  },
}
