/**
 * The caller of a request or a socket. Determined once from a token, never from ids in a body.
 * `address` is the client's IP, as reported by trusted proxies.
 */
export type Caller = Anonymous | Visitor | User

/** No credential was sent. */
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

/** A user of an account, or a program with one of their API keys. */
export interface User {
  kind: 'user'
  address: string
  account_id: string
  user_id: number
  role: 'admin' | 'user'
  /** The session of a signed-in user; programs have none. */
  session_id?: string
  /** The key of a program that acts in the user's name. */
  api_key?: ApiKey
}

/** The API key of a caller. */
export interface ApiKey {
  id: string
  /** `read`: may only read. `function`: may make the calls that are open to functions. */
  scope: 'read' | 'everything' | 'function'
}

/** A user who has signed in, rather than a program. */
export type SignedInUser = User & { session_id: string }

/** Whether the caller is a user of this account. Users of other accounts have no rights in it. */
export function isTeamOf(account_id: string, caller: Caller): caller is User {
  return caller.kind === 'user' && caller.account_id === account_id
}
