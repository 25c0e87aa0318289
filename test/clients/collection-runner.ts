/** Runs requests of a Postman collection: variables, authorisation and the scripts that it has. */
import { runInNewContext } from 'node:vm'

interface Header {
  key: string
  value: string
  disabled?: boolean
}

interface Auth {
  type: 'bearer' | 'noauth'
  bearer?: { key: string; value: string }[]
}

export interface Item {
  id: string
  name: string
  event?: { listen: 'prerequest' | 'test'; script: { exec: string[] } }[]
  request: {
    method: string
    auth?: Auth
    header: Header[]
    url: { raw: string; query?: { key: string; disabled?: boolean }[] }
    body?: { mode: 'raw' | 'file'; raw?: string }
  }
}

export interface Collection {
  info: { name: string; schema: string }
  auth: Auth
  item: { name: string; item: Item[] }[]
  variable: { key: string; value: string }[]
}

export class CollectionRunner {
  readonly #collection: Collection
  readonly #variables: Map<string, string>
  readonly #file: Uint8Array

  /** @param file body of requests that send a file */
  constructor(collection: Collection, file: Uint8Array) {
    this.#collection = collection
    this.#variables = new Map(collection.variable.map(({ key, value }) => [key, value]))
    this.#file = file
  }

  set(name: string, value: string): void {
    this.#variables.set(name, value)
  }

  get(name: string): string {
    return this.#variables.get(name) ?? ''
  }

  get items(): Item[] {
    return this.#collection.item.flatMap(({ item }) => item)
  }

  #fill(text: string): string {
    return text.replaceAll(/\{\{([\w-]+)\}\}/g, (_whole, name: string) => this.get(name))
  }

  #runScript(item: Item, listen: string, more: object): void {
    const script = item.event?.find((event) => event.listen === listen)?.script.exec.join('\n')
    if (script === undefined) return
    const collectionVariables = {
      get: (name: string) => this.get(name),
      set: (name: string, value: unknown) => this.set(name, String(value)),
    }
    runInNewContext(script, { pm: { collectionVariables, ...more } })
  }

  /** Sends a request as an API client does. @throws Error for an item that is not there */
  async send(id: string, signal?: AbortSignal): Promise<{ status: number; text: string }> {
    const item = this.items.find((one) => one.id === id)
    if (!item) throw new Error(`the collection has no ${id}`)
    const headers = new Headers()
    const upsert = ({ key, value }: Header) => headers.set(key, value)
    const { auth = this.#collection.auth, header, method, url, body } = item.request
    for (const { key, value, disabled } of header) if (!disabled) headers.set(key, value)
    this.#runScript(item, 'prerequest', { request: { headers: { upsert } } })
    for (const [key, value] of [...headers]) headers.set(key, this.#fill(value))
    const [token] = auth.bearer ?? []
    if (auth.type === 'bearer')
      headers.set('authorization', `Bearer ${this.#fill(`${token?.value}`)}`)
    const content = body?.mode === 'file' ? this.#file : body && this.#fill(`${body.raw}`)
    const answer = await fetch(this.#fill(url.raw), {
      method,
      headers,
      redirect: 'manual',
      ...(content === undefined ? {} : { body: content as BodyInit }),
      ...(signal ? { signal } : {}),
    })
    if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
      await answer.body?.cancel()
      return { status: answer.status, text: '' }
    }
    const text = await answer.text()
    if (answer.ok) this.#runScript(item, 'test', { response: { json: () => JSON.parse(text) } })
    return { status: answer.status, text }
  }
}
