import { takesText } from './keys.ts'

/** How long letters are nobody's commands after the place they were meant for has gone. */
const PAUSE_MS = 2_000

/** What a key does to the screen shows within this time. */
const OWN_MS = 1_000

let pausedUntil = 0
let ownUntil = 0

/** From now on, and until typing has rested, single keys do nothing. */
function pauseKeys() {
  pausedUntil = Date.now() + PAUSE_MS
}

/** Whether single keys do nothing for now. Whoever goes on typing keeps them waiting. */
export function areKeysPaused(): boolean {
  if (Date.now() >= pausedUntil) return false
  pauseKeys()
  return true
}

/** The person runs a command from within a field. If the field goes away with it, that is what they wanted. */
export function expectLoss() {
  ownUntil = Date.now() + OWN_MS
}

/** The person has gone somewhere on purpose, so that the next key is meant. */
export function endPause() {
  pausedUntil = 0
}

/**
 * Pauses single keys when a text field goes away under somebody's hands: a colleague closed the conversation, or the page
 * drew itself anew. Returns how to stop watching.
 */
export function watchFocusLoss(): () => void {
  let field: Element | undefined
  // The field may be drawn anew with the focus returned to it, in the same moment.
  const check = () => {
    if (!field || field.isConnected) return
    field = undefined
    if (!takesText(document.activeElement) && Date.now() > ownUntil) pauseKeys()
  }
  const observer = new MutationObserver(check)
  const onFocus = ({ target }: FocusEvent) => {
    field = isWrittenIn(target) ? target : undefined
    if (field) observer.observe(document.body, { childList: true, subtree: true })
    else observer.disconnect()
  }
  // Whoever leaves a field that stays has left it on purpose. Some browsers say so just before they take it out.
  const onBlur = () => {
    const left = field
    queueMicrotask(() => {
      check()
      if (field === left) field = undefined
    })
  }
  document.addEventListener('focusin', onFocus)
  document.addEventListener('focusout', onBlur)
  document.addEventListener('pointerdown', endPause)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('focusout', onBlur)
    document.removeEventListener('pointerdown', endPause)
  }
}

/** Whether somebody writes there. Menus and windows go away because of the choice that was made in them. */
function isWrittenIn(target: EventTarget | null): target is Element {
  if (!(target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement)) return false
  return takesText(target) && !target.closest('dialog, [role="dialog"]')
}
