import { fieldsOf } from '../../protocol.ts'
import type { createAppearance } from '../appearance/appearance.ts'
import { findGreeting } from '../appearance/greeting.ts'
import { readAppearance } from '../appearance/settings.ts'
import { readClaims } from '../session/claims.ts'
import type { createIdentity } from '../session/identity.ts'
import type { createVisitor } from '../session/visitor.ts'
import type { ChatStore } from '../state.ts'
import { countUnseen } from './attention.ts'
import { type Parent, readToggle } from './parent.ts'

interface CommandOptions {
  store: ChatStore
  parent: Parent
  appearance: ReturnType<typeof createAppearance>
  visitor: ReturnType<typeof createVisitor>
  identity: ReturnType<typeof createIdentity>
  /** Called when the window was opened or closed. */
  toggled: (isOpen: boolean) => void
  reportVisit: (isOpen: boolean) => void
  sync: () => void
}

/** Handles messages of the page around the frame. Unknown ones are ignored. */
export function createParentCommands({
  store,
  parent,
  appearance,
  visitor,
  identity,
  toggled,
  reportVisit,
  sync,
}: CommandOptions) {
  function toggle(payload: unknown) {
    const { isOpen, byPerson } = readToggle(payload)
    store.update({ isOpen, card: null, openings: store.get().openings + (isOpen && byPerson ? 1 : 0) })
    if (isOpen) identity.open()
    reportVisit(isOpen)
    toggled(isOpen)
  }

  function introduce({ metadata, identityToken }: Record<string, unknown>) {
    visitor.addClaims(readClaims(fieldsOf(metadata)))
    identity.apply(identityToken, store.get().isOpen)
    reportVisit(store.get().isOpen)
  }

  /** Shows or hides the card beside the button, as the page asks. */
  function showCard({ shouldDisplayNotifications, popUpInitialMessage }: Record<string, unknown>) {
    const state = store.get()
    if (shouldDisplayNotifications !== true) store.update({ card: null })
    else if (countUnseen(state) > 0) store.update({ card: 'unseen' })
    else if (popUpInitialMessage && state.thread.messages.length === 0 && findGreeting(state))
      store.update({ card: 'greeting' })
    else if (popUpInitialMessage) parent.send('messages:seen', {})
  }

  return (event: string, payload: unknown) => {
    const fields = fieldsOf(payload)
    if (event === 'papercups:toggle') toggle(payload)
    else if (event === 'customer:update') introduce(fields)
    else if (event === 'notifications:display') showCard(fields)
    else if (event === 'config:update' || event === 'papercups:plan') {
      appearance.override(readAppearance(event === 'config:update' ? fields : { subscriptionPlan: fields.plan }))
      sync()
    }
  }
}
