/**
 * Who stands behind a request or a socket. Decided once at the edge from a token, never from ids in a body.
 * `address` is the client's IP, after trusted proxies.
 */
export type Caller = Anonymous | Visitor | User | ApiKey

/** Nobody in particular: no credential was sent. */
export interface Anonymous {
  kind: 'anonymous'
  address: string
}

/** A person on a customer's website who holds a visitor session: proof of being exactly one customer. */
export interface Visitor {
  kind: 'visitor'
  address: string
  account_id: string
  customer_id: string
  session_id: string
}

/** Somebody of an account’s team who has signed in. */
export interface User {
  kind: 'user'
  address: string
  account_id: string
  user_id: number
  role: 'admin' | 'user'
  session_id: string
}

/** A program that acts for an account. */
export interface ApiKey {
  kind: 'api_key'
  address: string
  account_id: string
  key_id: string
  scopes: readonly string[]
}

/** Whether somebody of an account's own team is calling. A user of another account is a stranger to it. */
export function isTeamOf(account_id: string, caller: Caller): caller is User {
  return caller.kind === 'user' && caller.account_id === account_id
}
