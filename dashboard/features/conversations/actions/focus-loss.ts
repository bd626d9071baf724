import { takesText } from './keys.ts'

/** How long single keys stay paused after the text field with the focus has disappeared. */
const PAUSE_MS = 2_000

/** A command's effect on the screen is visible within this time. */
const OWN_MS = 1_000

let pausedUntil = 0
let ownUntil = 0

/** Pauses single keys until nobody has typed for a moment. */
function pauseKeys() {
  pausedUntil = Date.now() + PAUSE_MS
}

/** Whether single keys are paused. Each further key prolongs the pause. */
export function areKeysPaused(): boolean {
  if (Date.now() >= pausedUntil) return false
  pauseKeys()
  return true
}

/** A command was run from within a text field, so the field may disappear on purpose. */
export function expectLoss() {
  ownUntil = Date.now() + OWN_MS
}

/** The user has clicked or used a shortcut on purpose, so the next key counts. */
export function endPause() {
  pausedUntil = 0
}

/**
 * Pauses single keys when a focused text field disappears: what somebody is typing must not run shortcuts. It happens
 * when a colleague closes the conversation, or when the page re-renders. Returns a function that stops watching.
 */
export function watchFocusLoss(): () => void {
  let field: Element | undefined
  // A re-render may replace the field and restore the focus at once.
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
  // Leaving a field that stays is intended. Some browsers fire `focusout` just before they remove the field.
  const onBlur = () => {
    const blurred = field
    queueMicrotask(() => {
      check()
      if (field === blurred) field = undefined
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

/** Whether it is a text field outside dialogs, which close because of what was chosen in them. */
function isWrittenIn(target: EventTarget | null): target is Element {
  if (!(target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement)) return false
  return takesText(target) && !target.closest('dialog, [role="dialog"]')
}
