/** The key under which published widgets and recorders share the customer's id. */
const CUSTOMER = '__PAPERCUPS____CUSTOMER_ID__'
const OPEN = '__PAPERCUPS__:open'
const POPPED_UP = '__PAPERCUPS__:pop_up_seen'

/** Pages may forbid storage; then nothing is remembered. */
function access(name: 'localStorage' | 'sessionStorage') {
  return {
    is: (key: string, value: string) => read(key) === value,
    read,
    keep(key: string, value: string | null) {
      try {
        if (value === null) window[name].removeItem(key)
        else window[name].setItem(key, value)
      } catch {}
    },
  }
  function read(key: string) {
    try {
      return window[name].getItem(key)
    } catch {
      return null
    }
  }
}

/** What the page remembers for its chat: no secret, the page's own scripts can read all of it. */
export function createMemory(account_id: string, inbox = 'primary') {
  const needed = `parley:needed:${account_id}:${inbox}`
  const person = `parley:person:${account_id}`
  const stale = `parley:stale:${account_id}`
  const { is, read, keep } = access('localStorage')
  const session = access('sessionStorage')
  return {
    /** An answer or an unsent message is waiting for, so the frame is worth its weight on every page. */
    isNeeded: () => is(needed, '1'),
    noteNeeded: (isNeeded: boolean) => keep(needed, isNeeded ? '1' : null),
    noteCustomer: (id: string) => keep(CUSTOMER, JSON.stringify(id)),
    wasOpen: () => session.is(OPEN, 'true'),
    noteOpen: (isOpen: boolean) => session.keep(OPEN, `${isOpen}`),
    wasPoppedUp: () => session.is(POPPED_UP, 'true'),
    notePoppedUp: () => session.keep(POPPED_UP, 'true'),

    /**
     * Notes who sits here now. When it was somebody else before, what the frame keeps is stale: pages are often left in
     * the very moment of signing out, so this is what the next page goes by.
     */
    notePerson(external_id: string) {
      const before = read(person)
      keep(person, external_id)
      if (before !== null && before !== external_id) this.forget()
    },
    isStale: () => is(stale, '1'),
    noteFresh: () => keep(stale, null),
    /** The frame must wipe what it keeps before it shows anything. */
    forget() {
      for (const key of [needed, CUSTOMER]) keep(key, null)
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
