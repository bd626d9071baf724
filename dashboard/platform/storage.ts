/** What could not be kept for the next visit, for as long as this page stands. */
const unkept = new Map<string, string>()

/**
 * What this browser keeps for us. Where local storage is full or forbidden, what is written stays in this page's memory
 * instead: nobody is kept from signing in or from writing by it, only from finding it again after a reload.
 */
export const storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'> = {
  get length() {
    return countKept() + listUnkept().length
  },
  key(at) {
    const count = countKept()
    return (at < count ? attempt(() => localStorage.key(at)) : listUnkept()[at - count]) ?? null
  },
  getItem: (key) => unkept.get(key) ?? attempt(() => localStorage.getItem(key)) ?? null,
  setItem(key, value) {
    const isKept = attempt(() => {
      localStorage.setItem(key, value)
      return true
    })
    if (isKept) unkept.delete(key)
    else unkept.set(key, value)
  },
  removeItem(key) {
    unkept.delete(key)
    attempt(() => localStorage.removeItem(key))
  },
}

/** The keys of a storage that begin with one of these. */
export function listKeys(storage: Pick<Storage, 'key' | 'length'>, ...prefixes: string[]): string[] {
  const keys = Array.from({ length: storage.length }, (_unused, at) => storage.key(at) ?? '')
  return keys.filter((key) => prefixes.some((prefix) => key.startsWith(prefix)))
}

function countKept(): number {
  return attempt(() => localStorage.length) ?? 0
}

/** Keys of values that are in memory only, because they could not be stored. */
function listUnkept(): string[] {
  return [...unkept.keys()].filter((key) => (attempt(() => localStorage.getItem(key)) ?? null) === null)
}

/** Browsers that forbid storage throw at the mere mention of it. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
