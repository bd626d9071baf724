import type { ReactElement, ReactNode } from 'react'
import { type TriggerProps, useTrigger } from './useTrigger.ts'

export type MenuItem =
  | { type: 'divider' }
  | {
      type?: undefined
      key: string
      label: ReactNode
      /** What is typed to find it, where the label is more than words. */
      text?: string
      onClick: () => void
      danger?: boolean
      disabled?: boolean
    }

interface MenuProps {
  items: readonly MenuItem[]
  /** Which of them holds now, where one is chosen. */
  chosen?: string
  placement?: 'bottom end' | 'right top'
  /** Draws the button that opens it, which has a name and takes what is given. */
  children: (trigger: TriggerProps) => ReactElement
}

const load = async () => (await import('./MenuPopup.tsx')).MenuPopup

/** What can be done, one below the other. The focus goes into the menu, and back to the button before anything is done. */
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
