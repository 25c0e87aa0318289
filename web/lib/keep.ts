/** What a visit remembers, so that a reload restores it; nothing outlives the tab. */
import { guarded } from './guarded.ts'

export interface Keep {
  get(name: string): string | undefined
  set(name: string, value: string): void
  remove(name: string): void
  clear(): void
}

/** Memory of this page alone: it ends with the page. */
export function memoryKeep(): Keep {
  const values = new Map<string, string>()
  return {
    get: (name) => values.get(name),
    set: (name, value) => void values.set(name, value),
    remove: (name) => void values.delete(name),
    clear: () => values.clear(),
  }
}

/**
 * Storage of this tab; memory of the page alone where the browser keeps nothing, or no more than
 * it has.
 */
export function tabKeep(prefix: string): Keep {
  const memory = memoryKeep()
  const keyOf = (name: string) => `${prefix}/${name}`
  return {
    get: (name) =>
      memory.get(name) ?? guarded(() => sessionStorage.getItem(keyOf(name))) ?? undefined,
    set(name, value) {
      memory.set(name, value)
      guarded(() => sessionStorage.setItem(keyOf(name), value))
    },
    remove(name) {
      memory.remove(name)
      guarded(() => sessionStorage.removeItem(keyOf(name)))
    },
    clear() {
      memory.clear()
      guarded(() => {
        const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(`${prefix}/`))
        for (const key of keys) sessionStorage.removeItem(key)
      })
    },
  }
}
