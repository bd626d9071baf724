import { type KeyboardEvent, type RefObject, useId, useState } from 'react'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { insertText } from '../../../../ui/insert-text.ts'
import { type Trigger, triggerAt } from './triggers.ts'
import { type Option, useMenuOptions } from './useMenuOptions.ts'

export interface Menu {
  id: string
  character: Trigger['character']
  options: Option[]
  /** The index of the option that Enter takes. */
  active: number
  point: (at: number) => void
  choose: (at: number) => void
}

/** The suggestion menu of the text field, and its keys. Inactive during input method composition. */
export function useComposerMenu(
  box: RefObject<HTMLTextAreaElement | null>,
  conversation: Conversation,
  write: (body: string, mentioned: number | undefined) => void,
  createReply: () => void,
) {
  const id = useId()
  const [trigger, setTrigger] = useState<Trigger>()
  const [active, setActive] = useState(0)
  /** The start of the word for which the menu was closed: it stays closed for that word. */
  const [closedAt, setClosedAt] = useState<number>()
  const options = useMenuOptions(trigger, conversation)
  const isOpen = trigger !== undefined && trigger.start !== closedAt && options.length > 0

  /** Updates the trigger from the text before the caret. */
  const update = () => {
    const element = box.current
    const isPlace = !!element && element.selectionStart === element.selectionEnd
    const next = isPlace ? triggerAt(element.value, element.selectionStart) : undefined
    if (next?.start !== trigger?.start || next?.query !== trigger?.query) setActive(0)
    setTrigger(next)
    if (next?.start !== closedAt) setClosedAt(undefined)
  }
  const choose = (at: number) => {
    const option = options[at]
    if (!option || option.isNothing || !trigger) return
    // The typed text stays, and finds the reply once it exists.
    if (option.isFirst) return createReply()
    const field = box.current
    if (!field) return
    insertText(field, option.insert, trigger.start, trigger.end)
    // What was inserted after the same character is not looked up again: the name of a teammate matches itself.
    setClosedAt(trigger.start)
    write(field.value, option.user_id)
  }
  /** Handles a key. Returns whether the menu used it. */
  const press = (event: KeyboardEvent): boolean => {
    if (!isOpen || event.nativeEvent.isComposing || event.keyCode === 229) return false
    if (options[0]?.isNothing && event.key !== 'Escape') return false
    if (event.key === 'ArrowDown') setActive((active + 1) % options.length)
    else if (event.key === 'ArrowUp') setActive((active - 1 + options.length) % options.length)
    else if (isChooseKey(event)) choose(active)
    else if (event.key === 'Escape') setClosedAt(trigger.start)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const menu: Menu | undefined = isOpen
    ? {
        id,
        character: trigger.character,
        options,
        active: Math.min(active, options.length - 1),
        point: setActive,
        choose,
      }
    : undefined
  return { menu, update, press, close: () => setTrigger(undefined) }
}

/** Enter with Cmd or Ctrl sends, also while the menu is open. */
function isChooseKey({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' ? !ctrlKey && !metaKey : key === 'Tab' && !shiftKey
}
