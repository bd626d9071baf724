/** The key under which published widgets and recorders share the customer's id. */
const CUSTOMER = '__PAPERCUPS____CUSTOMER_ID__'
const OPEN = '__PAPERCUPS__:open'
const POPPED_UP = '__PAPERCUPS__:pop_up_seen'

/** Pages may forbid storage; then nothing is stored. */
function access(name: 'localStorage' | 'sessionStorage') {
  return {
    read(key: string) {
      try {
        return window[name].getItem(key)
      } catch {
        return null
      }
    },
    store(key: string, value: string | null) {
      try {
        if (value === null) window[name].removeItem(key)
        else window[name].setItem(key, value)
      } catch {}
    },
  }
}

/** What the page's storage holds for its chat. Nothing secret, since all scripts of the page can read it. */
export function createMemory(account_id: string, inbox = 'primary') {
  const needed = `parley:needed:${account_id}:${inbox}`
  const person = `parley:person:${account_id}`
  const stale = `parley:stale:${account_id}`
  const { read, store } = access('localStorage')
  const session = access('sessionStorage')
  return {
    /** A conversation or an unsent message exists, so the frame is loaded on every page. */
    isNeeded: () => !!read(needed),
    storeNeeded: (isNeeded: boolean) => store(needed, isNeeded ? '1' : null),
    storeCustomer: (id: string) => store(CUSTOMER, JSON.stringify(id)),
    /** Whether the chat was left open in this session; null if it was never opened or closed. */
    wasOpen: () => session.read(OPEN),
    storeOpen: (isOpen: boolean) => session.store(OPEN, `${isOpen}`),
    wasPoppedUp: () => !!session.read(POPPED_UP),
    storePoppedUp: () => session.store(POPPED_UP, 'true'),

    /**
     * Stores who the visitor is. If it was somebody else before, the frame's data is marked as stale. The mark is
     * stored because pages are often left right after signing out: the next page reads it.
     */
    storePerson(external_id: string) {
      const before = read(person)
      store(person, external_id)
      if (before && before !== external_id) this.wipe()
    },
    isStale: () => !!read(stale),
    clearStale: () => store(stale, null),
    /** The frame must delete its data before it shows anything. */
    wipe() {
      store(needed, null)
      store(CUSTOMER, null)
      store(stale, '1')
      session.store(OPEN, null)
    },
    signOut() {
      store(person, null)
      this.wipe()
    },
  }
}

export type Memory = ReturnType<typeof createMemory>
