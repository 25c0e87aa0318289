/** Starts the emulators of the local cluster and issues the certificates of the service. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import type { OutsideProcessOptions } from '../emulators/main.ts'
import type { KeyOrder, OutageOrder } from '../emulators/backends.ts'
import { outsideEnvironment } from '../emulators/backends.ts'
import { freePorts } from '../../adapters/shared/free-ports.ts'
import { LOOPBACK } from '../control-plane/processes.ts'
import type { Component } from '../rbac/rights.ts'
import { Child, compileCache } from './child.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const ORGANISATION = 'Sigcase local'

type Environment = Readonly<Record<string, string>>

/** The emulators of Google Cloud and of the mail server. */
export interface LocalOutside {
  /** Variables for the service. */
  environment: Environment
  end(): Promise<unknown>
}

/** Selects the variables of one component; only workers get those of the signing keys. */
export function environmentOf(component: Component, environment: Environment): Environment {
  if (component === 'worker') return environment
  const others = Object.entries(environment).filter(([name]) => !name.startsWith('KMS_'))
  return Object.fromEntries(others)
}

/** Runs the emulators in a separate process, which can be stopped and resumed. */
export interface OutsideProcess extends LocalOutside {
  child: Child
  /** @returns how many requests the outage that ends has refused */
  setAway(service: OutageOrder['service'], isAway: boolean): Promise<number>
  changeKey(key: KeyOrder['key'], change: KeyOrder['change']): Promise<void>
}

/** @param folder for the files of the emulators @param baseUrl URL of the future service */
export async function startOutsideProcess(
  folder: string,
  baseUrl: string,
): Promise<OutsideProcess> {
  const free = await freePorts(5)
  const [storage, keys, mail, pubSub, ownPort] = free as [number, number, number, number, number]
  const ports = { storage, keys, mail, pubSub }
  const options: OutsideProcessOptions = { folder, baseUrl, ports, ownPort }
  const url = `http://${LOOPBACK}:${ownPort}/`
  const script = join(ROOT, 'dev/emulators/main.ts')
  const child = new Child({
    name: 'emulators',
    command: [process.execPath, script, JSON.stringify(options)],
    environment: { PATH: process.env.PATH ?? '' },
    log: join(folder, 'emulators.log'),
    readyUrl: url,
  })
  child.start()
  await child.ready()
  const order = async (what: OutageOrder | KeyOrder) => {
    const answer = await fetch(url, { method: 'PUT', body: JSON.stringify(what) })
    return (await answer.json()) as { refused?: number }
  }
  return {
    child,
    environment: outsideEnvironment(options, ports),
    end: () => child.end(),
    setAway: async (service, isAway) => (await order({ service, isAway })).refused ?? 0,
    changeKey: async (key, change) => void (await order({ key, change })),
  }
}

/** Issues certificates with the documented command. @param environment keys and `BASE_URL` */
export async function issueCertificates(folder: string, environment: Environment): Promise<void> {
  const script = join(ROOT, 'cli/kms-certificates.ts')
  const args = ['--organisation', ORGANISATION, '--root-key', join(folder, 'root.key')]
  const certificates = environment.KMS_CERTIFICATES ?? ''
  const env = { PATH: process.env.PATH ?? '', ...compileCache(), ...environment }
  await promisify(execFile)(process.execPath, [script, ...args, certificates], { env })
}
