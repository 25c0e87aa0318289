/** The client of the signed-in tenant and its live changes, for all pages of the console. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { TenantClient } from './api.ts'
import { LiveCases } from './live-cases.ts'

const nobody = new TenantClient('', () => undefined)

export const ClientContext = createContext(nobody)
export const useClient = (): TenantClient => useContext(ClientContext)
export const LiveContext = createContext(new LiveCases(nobody))
export const useLive = (): LiveCases => useContext(LiveContext)
