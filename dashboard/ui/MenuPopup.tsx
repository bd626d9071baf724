import { MenuItem as AriaMenuItem, Menu } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Separator } from 'react-aria-components/Separator'
import styles from './Menu.module.css'
import type { MenuItem } from './Menu.tsx'
import type { FocusPosition, TriggerProps } from './useTrigger.ts'

interface PopupProps {
  items: readonly MenuItem[]
  chosen: string | undefined
  placement: 'bottom end' | 'right top'
  trigger: TriggerProps
  open: boolean
  focus: FocusPosition | undefined
  close: () => void
  /** Whether it was opened again after it was closed. */
  isOpenAgain: () => boolean
}

/** The popup of a Menu. */
export function MenuPopup({ items, chosen, placement, trigger, open, focus, close, isOpenAgain }: PopupProps) {
  const run = (action: () => void) => {
    close()
    // A dialog opened by the action then returns the focus to the trigger.
    requestAnimationFrame(() => {
      if (!isOpenAgain()) trigger.ref.current?.focus()
      action()
    })
  }
  return (
    <Popover
      className={styles.popover ?? ''}
      triggerRef={trigger.ref}
      trigger="MenuTrigger"
      aria-labelledby={trigger.id}
      placement={placement}
      offset={4}
      isOpen={open}
      onOpenChange={(isOpen) => isOpen || close()}
    >
      <Menu
        className={styles.menu ?? ''}
        aria-labelledby={trigger.id}
        autoFocus={focus ?? true}
        onClose={close}
        {...(chosen !== undefined && { selectionMode: 'single', selectedKeys: [chosen] })}
      >
        {items.map((item, at) =>
          item.type === 'divider' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: dividers have no other name
            <Separator key={at} className={styles.divider ?? ''} />
          ) : (
            <AriaMenuItem
              key={item.key}
              id={item.key}
              className={styles.item ?? ''}
              textValue={item.text ?? (typeof item.label === 'string' ? item.label : item.key)}
              isDisabled={item.disabled ?? false}
              onAction={() => run(item.onClick)}
              data-danger={item.danger || undefined}
            >
              {item.label}
            </AriaMenuItem>
          ),
        )}
      </Menu>
    </Popover>
  )
}
