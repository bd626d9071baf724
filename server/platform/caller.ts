/**
 * Who stands behind a request or a socket. Decided once at the edge from a token, never from ids in a body.
 * `address` is the client's IP, after trusted proxies.
 */
export type Caller = Anonymous | Visitor | User

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

/** Somebody of an account’s team, or a program with an API key of theirs. */
export interface User {
  kind: 'user'
  address: string
  account_id: string
  user_id: number
  role: 'admin' | 'user'
  /** Where they have signed in; a program has not. */
  session_id?: string
  /** The key with which a program acts in their name. */
  api_key?: ApiKey
}

/** What is known of an API key that somebody calls with. */
export interface ApiKey {
  id: string
  /** `read`: it changes nothing. `function`: it makes the calls that are open to functions. */
  scope: 'read' | 'everything' | 'function'
}

/** Somebody who has signed in themselves. */
export type SignedInUser = User & { session_id: string }

/** Whether somebody of an account's own team is calling. A user of another account has no rights in it. */
export function isTeamOf(account_id: string, caller: Caller): caller is User {
  return caller.kind === 'user' && caller.account_id === account_id
}
