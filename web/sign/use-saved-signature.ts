/** The saved signature of one person, and whether the next one is to be saved. */
import { useState } from 'preact/hooks'
import { useIsKiosk } from '../lib/kiosk-context.ts'
import {
  canSaveSignature,
  forgetSignature,
  savedSignature,
  saveSignature,
} from './saved-signature.ts'

/**
 * Reads what the browser keeps when the dialog opens.
 *
 * @param name of the participant: another person's signature is not offered
 */
export function useSavedSignature(name: string) {
  const isKiosk = useIsKiosk()
  const [isPossible] = useState(() => canSaveSignature(isKiosk))
  const [picture, setPicture] = useState(() => (isPossible ? savedSignature(name) : undefined))
  const [isTicked, tick] = useState(false)
  const [isForgotten, setForgotten] = useState(false)
  const forget = () => {
    forgetSignature()
    setPicture(undefined)
    setForgotten(true)
  }
  /** Saves the drawing if the person asked for it. @returns whether that succeeded */
  const keep = (drawing: string): boolean => {
    if (!isTicked || saveSignature(name, drawing)) return true
    tick(false)
    return false
  }
  return { isPossible, picture, isTicked, tick, isForgotten, forget, keep }
}
