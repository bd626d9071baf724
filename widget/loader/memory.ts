/** The key under which published widgets and recorders share the customer's id. */
const CUSTOMER = '__PAPERCUPS____CUSTOMER_ID__'
const OPEN = '__PAPERCUPS__:open'

/** Pages may forbid storage; then nothing is remembered. */
function quietly<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** What the page remembers for its chat: no secret, the page's own scripts can read all of it. */
export function createMemory(account_id: string, inbox = 'primary') {
  const needed = `parley:needed:${account_id}:${inbox}`
  return {
    /** An answer or an unsent message is waiting for, so the frame is worth its weight on every page. */
    isNeeded: () => quietly(() => localStorage.getItem(needed)) === '1',
    noteNeeded: (isNeeded: boolean) =>
      quietly(() => (isNeeded ? localStorage.setItem(needed, '1') : localStorage.removeItem(needed))),
    noteCustomer: (id: string) => quietly(() => localStorage.setItem(CUSTOMER, JSON.stringify(id))),
    wasOpen: () => quietly(() => sessionStorage.getItem(OPEN)) === 'true',
    noteOpen: (isOpen: boolean) => quietly(() => sessionStorage.setItem(OPEN, String(isOpen))),
  }
}
