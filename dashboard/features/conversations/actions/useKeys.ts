import { useEffect, useEffectEvent } from 'react'
import type { Context } from './action.ts'
import { areKeysPaused, endPause, expectLoss, watchFocusLoss } from './focus-loss.ts'
import { isCovered, keyOf, takesText } from './keys.ts'
import { ACTIONS } from './registry.ts'

/** The longest pause between the two keys of a sequence. */
const SEQUENCE_MS = 1_200

/** Runs actions by keyboard shortcut, except in text fields and while a dialog is open. */
export function useKeys(context: () => Context) {
  const press = useEffectEvent((event: KeyboardEvent, before: string | undefined) => {
    const key = keyOf(event)
    if (!key || event.defaultPrevented || isCovered()) return undefined
    const isWriting = takesText(event.target)
    if (key.includes('mod+')) endPause()
    else if (!isWriting && areKeysPaused()) return undefined
    const pressed = before ? `${before} ${key}` : key
    const named = ACTIONS.filter(
      ({ keys, outsideText }) => keys.includes(pressed) && !(isWriting && (outsideText || !pressed.startsWith('mod+'))),
    )
    const now = context()
    const action = named.find(({ when }) => when(now))
    // In the inbox these keys are prevented even if no action is available: Ctrl+P must not open the print dialog.
    if (action || (named.some(({ outsideText }) => !outsideText) && now.inbox)) event.preventDefault()
    // Moving through the list keeps the focus in the text field; other commands may remove the field.
    if (isWriting && action && !action.repeats) expectLoss()
    if (!event.repeat || action?.repeats) action?.run(now)
    return !action && !isWriting && isFirstOfTwo(key) ? key : undefined
  })
  useEffect(() => {
    let first: string | undefined
    let timer: ReturnType<typeof setTimeout>
    const onKeyDown = (event: KeyboardEvent) => {
      if (['Shift', 'Control', 'Meta', 'Alt'].includes(event.key)) return
      clearTimeout(timer)
      first = press(event, first)
      timer = setTimeout(() => {
        first = undefined
      }, SEQUENCE_MS)
    }
    window.addEventListener('keydown', onKeyDown)
    const unwatch = watchFocusLoss()
    return () => {
      clearTimeout(timer)
      unwatch()
      window.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}

function isFirstOfTwo(key: string): boolean {
  return ACTIONS.some(({ keys }) => keys.some((each) => each.startsWith(`${key} `)))
}
