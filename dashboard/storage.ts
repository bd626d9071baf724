/** What could not be kept for the next visit, for as long as this page stands. */
const unkept = new Map<string, string>()

/**
 * What this browser keeps for us. Where local storage is full or forbidden, what is written stays in this page's memory
 * instead: nobody is kept from signing in or from writing by it, only from finding it again after a reload.
 */
export const storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'> = {
  get length() {
    return listKeys().length
  },
  key: (at) => listKeys()[at] ?? null,
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

function listKeys(): string[] {
  const kept = attempt(() => Array.from({ length: localStorage.length }, (_unused, at) => localStorage.key(at) ?? ''))
  return [...new Set([...(kept ?? []), ...unkept.keys()])]
}

/** Browsers that forbid storage throw at the mere mention of it. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
