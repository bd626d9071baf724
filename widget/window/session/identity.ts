import { IDENTITY_REFUSED } from '../../protocol.ts'
import type { InboxRef } from '../calls.ts'
import { newId, newSecret } from '../new-id.ts'
import type { Parent } from '../parent/parent.ts'
import { request } from '../request.ts'
import type { Storage } from '../storage.ts'
import type { CallAsVisitor } from '../thread/conversations.ts'

interface IdentityOptions {
  storage: Storage
  parent: Parent
  inbox: InboxRef
  call: CallAsVisitor
  sync: () => void
  wakeSender: () => void
}

/** The identity token belongs to another customer than this browser's session. */
const SOMEBODY_ELSE = 403

/** The identity token signed by the website's back end, until the server refuses it. */
export function createIdentity({ storage, parent, inbox, call, sync, wakeSender }: IdentityOptions) {
  let token: string | undefined

  function discardToken() {
    token = undefined
    parent.send(IDENTITY_REFUSED, {})
  }

  /** Links the existing session to the signed identity. */
  async function prove(identity_token: string) {
    const { account_id: _, inbox_id } = inbox
    const outcome = await call((secret) =>
      request<{ data: { customer_id: string } }>('/api/visitor_sessions/identity', {
        method: 'PUT',
        token: secret,
        body: { visitor_session: { inbox_id, identity_token } },
      }),
    )
    const stored = storage.read()
    if (outcome.kind === 'done' && stored.session) {
      storage.write({ ...stored, session: { ...stored.session, customer_id: outcome.answer.data.customer_id } })
    } else if (outcome.kind === 'refused' && outcome.status === SOMEBODY_ELSE) {
      // A shared browser: the next person must not see data of the previous one.
      storage.wipe()
      open()
    } else if (outcome.kind === 'refused') discardToken()
    sync()
  }

  /** Opens a session before the first message, so that conversations from other devices appear. */
  function open() {
    const stored = storage.read()
    if (!token || stored.session) return
    storage.write({ ...stored, session: { token: newSecret(), customer_id: newId(), opened: false } })
    wakeSender()
  }

  return {
    token: () => token,
    refuse: discardToken,
    open,
    /** Applies the page's identity token. `isOpen`: whether the window is open. */
    apply(input: unknown, isOpen: boolean) {
      if (typeof input !== 'string' || input === token) return
      token = input
      if (storage.read().session?.opened) void prove(input)
      else if (isOpen) open()
    },
  }
}
