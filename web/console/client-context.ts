/** The client of the signed-in tenant, for all pages of the console. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { TenantClient } from './api.ts'

export const ClientContext = createContext(new TenantClient('', () => undefined))
export const useClient = (): TenantClient => useContext(ClientContext)
