/** Values that could not be stored, kept until the page is left. */
const unsaved = new Map<string, string>()

/**
 * The browser's local storage. Where it is full or forbidden, values are kept in memory: the page works, but they are
 * lost on reload.
 */
export const storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'> = {
  get length() {
    return countStored() + listUnstored().length
  },
  key(at) {
    const count = countStored()
    return (at < count ? attempt(() => localStorage.key(at)) : listUnstored()[at - count]) ?? null
  },
  getItem: (key) => unsaved.get(key) ?? attempt(() => localStorage.getItem(key)) ?? null,
  setItem(key, value) {
    const isStored = attempt(() => {
      localStorage.setItem(key, value)
      return true
    })
    if (isStored) unsaved.delete(key)
    else unsaved.set(key, value)
  },
  removeItem(key) {
    unsaved.delete(key)
    attempt(() => localStorage.removeItem(key))
  },
}

/** The keys of a storage that start with one of these prefixes. */
export function listKeys(storage: Pick<Storage, 'key' | 'length'>, ...prefixes: string[]): string[] {
  const keys = Array.from({ length: storage.length }, (_unused, at) => storage.key(at) ?? '')
  return keys.filter((key) => prefixes.some((prefix) => key.startsWith(prefix)))
}

function countStored(): number {
  return attempt(() => localStorage.length) ?? 0
}

/** Keys of values that are only in memory. */
function listUnstored(): string[] {
  return [...unsaved.keys()].filter((key) => (attempt(() => localStorage.getItem(key)) ?? null) === null)
}

/** Browsers that forbid storage throw on access. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
