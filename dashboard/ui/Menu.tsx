import type { ReactElement, ReactNode } from 'react'
import { type TriggerProps, useTrigger } from './useTrigger.ts'

export type MenuItem =
  | { type: 'divider' }
  | {
      type?: undefined
      key: string
      label: ReactNode
      /** The text for type-ahead, if the label is more than text. */
      text?: string
      onClick: () => void
      danger?: boolean
      disabled?: boolean
    }

interface MenuProps {
  items: readonly MenuItem[]
  /** The current choice, if one is chosen. */
  chosen?: string
  placement?: 'bottom end' | 'right top'
  /** Renders the trigger button, which needs a name and takes the given props. */
  children: (trigger: TriggerProps) => ReactElement
}

const load = async () => (await import('./MenuPopup.tsx')).MenuPopup

/** A menu of actions. The focus goes into the menu, and back to the button before an action runs. */
export function Menu({ items, chosen, placement = 'bottom end', children }: MenuProps) {
  const { trigger, Popup, focus, close, opening, isOpen } = useTrigger('menu', load)
  return (
    <>
      {children(trigger)}
      {Popup && (
        <Popup
          key={opening}
          items={items}
          chosen={chosen}
          placement={placement}
          trigger={trigger}
          open={focus !== undefined}
          focus={focus}
          close={close}
          isOpenAgain={isOpen}
        />
      )}
    </>
  )
}
