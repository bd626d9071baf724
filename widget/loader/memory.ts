/** The key under which published widgets and recorders share the customer's id. */
const CUSTOMER = '__PAPERCUPS____CUSTOMER_ID__'
const OPEN = '__PAPERCUPS__:open'
const POPPED_UP = '__PAPERCUPS__:pop_up_seen'

/** Pages may forbid storage; then nothing is remembered. */
function access(name: 'localStorage' | 'sessionStorage') {
  return {
    read(key: string) {
      try {
        return window[name].getItem(key)
      } catch {
        return null
      }
    },
    keep(key: string, value: string | null) {
      try {
        if (value === null) window[name].removeItem(key)
        else window[name].setItem(key, value)
      } catch {}
    },
  }
}

/** What the page remembers for its chat: no secret, the page's own scripts can read all of it. */
export function createMemory(account_id: string, inbox = 'primary') {
  const needed = `parley:needed:${account_id}:${inbox}`
  const person = `parley:person:${account_id}`
  const stale = `parley:stale:${account_id}`
  const { read, keep } = access('localStorage')
  const session = access('sessionStorage')
  return {
    /** An answer or an unsent message is waiting for, so the frame is worth its weight on every page. */
    isNeeded: () => !!read(needed),
    noteNeeded: (isNeeded: boolean) => keep(needed, isNeeded ? '1' : null),
    noteCustomer: (id: string) => keep(CUSTOMER, JSON.stringify(id)),
    /** How it was left in this session, if it was opened or closed. */
    wasOpen: () => session.read(OPEN),
    noteOpen: (isOpen: boolean) => session.keep(OPEN, `${isOpen}`),
    wasPoppedUp: () => !!session.read(POPPED_UP),
    notePoppedUp: () => session.keep(POPPED_UP, 'true'),

    /**
     * Notes who sits here now. When it was somebody else before, what the frame keeps is stale: pages are often left in
     * the very moment of signing out, so this is what the next page goes by.
     */
    notePerson(external_id: string) {
      const before = read(person)
      keep(person, external_id)
      if (before && before !== external_id) this.forget()
    },
    isStale: () => !!read(stale),
    noteFresh: () => keep(stale, null),
    /** The frame must wipe what it keeps before it shows anything. */
    forget() {
      keep(needed, null)
      keep(CUSTOMER, null)
      keep(stale, '1')
      session.keep(OPEN, null)
    },
    signOut() {
      keep(person, null)
      this.forget()
    },
  }
}

export type Memory = ReturnType<typeof createMemory>
