/** Whether the page is on a shared screen, where nothing may stay and people have no keyboard. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

export const KioskContext = createContext(false)
export const useIsKiosk = (): boolean => useContext(KioskContext)
