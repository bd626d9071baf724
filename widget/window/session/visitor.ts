import type { Address } from '../appearance/settings.ts'
import { type Claims, updateCustomer } from '../calls.ts'
import { endSession } from '../outbox/outbox.ts'
import type { ChatStore } from '../state.ts'
import type { Storage } from '../storage.ts'
import type { CallAsVisitor } from '../thread/conversations.ts'
import { readClaims } from './claims.ts'
import type { Details } from './details.ts'

/** What the page and the visitor stated about their identity, and calls with the session's secret. */
export function createVisitor(store: ChatStore, storage: Storage, { metadata }: Address, sync: () => void) {
  let claims = readClaims(metadata)
  let mergedClaims: Claims = {}

  /** The visitor's own answers override the page's values. */
  function show() {
    mergedClaims = { ...claims, ...storage.readDetails() }
    store.update({ claims: mergedClaims })
  }
  show()

  /** Calls with the session's secret, and ends the session when the server no longer knows it. */
  const call: CallAsVisitor = async (request) => {
    const { session } = storage.read()
    if (!session?.opened) return { kind: 'later' }
    const outcome = await request(session.token, session.customer_id)
    const stored = storage.read()
    if (outcome.kind === 'signed out' && stored.session?.token === session.token) {
      storage.write(endSession(stored))
      sync()
    }
    return outcome
  }

  function sendClaims() {
    void call((token, customer_id) => updateCustomer(token, customer_id, mergedClaims))
  }

  return {
    call,
    claims: () => mergedClaims,

    /** Adds what the page says. */
    addClaims(added: Claims) {
      claims = { ...claims, ...added }
      show()
      sendClaims()
    },

    /** Adds what the visitor says. Without a session it is sent when one is opened. */
    introduce(details: Details) {
      storage.writeDetails({ ...storage.readDetails(), ...details })
      show()
      sendClaims()
    },
  }
}
