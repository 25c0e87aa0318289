/** Whether the page is on a shared screen, where nothing may stay and nobody types on keys. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

export const KioskContext = createContext(false)
export const useIsKiosk = (): boolean => useContext(KioskContext)
