import { fieldsOf } from '../../protocol.ts'
import type { createWardrobe } from '../appearance/appearance.ts'
import { findGreeting } from '../appearance/greeting.ts'
import { readLook } from '../appearance/settings.ts'
import { readClaims } from '../session/claims.ts'
import type { createIdentity } from '../session/identity.ts'
import type { createVisitor } from '../session/visitor.ts'
import type { ChatStore } from '../state.ts'
import { countUnseen } from './attention.ts'
import { type Parent, readToggle } from './parent.ts'

interface Hands {
  store: ChatStore
  parent: Parent
  wardrobe: ReturnType<typeof createWardrobe>
  visitor: ReturnType<typeof createVisitor>
  identity: ReturnType<typeof createIdentity>
  /** The window was opened or closed. */
  toggled: (isOpen: boolean) => void
  noteSighting: (isOpen: boolean) => void
  follow: () => void
}

/** Does what the page around asks for. Anything else it says is passed over. */
export function createOrders({ store, parent, wardrobe, visitor, identity, toggled, noteSighting, follow }: Hands) {
  function toggle(payload: unknown) {
    const { isOpen, byPerson } = readToggle(payload)
    store.update({ isOpen, card: null, openings: store.get().openings + (isOpen && byPerson ? 1 : 0) })
    if (isOpen) identity.open()
    noteSighting(isOpen)
    toggled(isOpen)
  }

  function introduce({ metadata, identityToken }: Record<string, unknown>) {
    visitor.learn(readClaims(fieldsOf(metadata)))
    identity.hear(identityToken, store.get().isOpen)
    noteSighting(store.get().isOpen)
  }

  /** The page asks for a card beside its button, or wants none any more. */
  function showCard({ shouldDisplayNotifications, popUpInitialMessage }: Record<string, unknown>) {
    const state = store.get()
    if (shouldDisplayNotifications !== true) store.update({ card: null })
    else if (countUnseen(state) > 0) store.update({ card: 'unseen' })
    else if (popUpInitialMessage && state.thread.messages.length === 0 && findGreeting(state))
      store.update({ card: 'greeting' })
    else if (popUpInitialMessage) parent.tell('messages:seen', {})
  }

  return (event: string, payload: unknown) => {
    const said = fieldsOf(payload)
    if (event === 'papercups:toggle') toggle(payload)
    else if (event === 'customer:update') introduce(said)
    else if (event === 'notifications:display') showCard(said)
    else if (event === 'config:update' || event === 'papercups:plan') {
      wardrobe.wish(readLook(event === 'config:update' ? said : { subscriptionPlan: said.plan }))
      follow()
    }
  }
}
