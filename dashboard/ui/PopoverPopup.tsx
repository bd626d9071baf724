import type { ReactNode } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import styles from './Popover.module.css'
import type { TriggerProps } from './useTrigger.ts'

interface PopupProps {
  label: string
  placement: 'bottom start' | 'right bottom'
  trigger: TriggerProps
  open: boolean
  close: () => void
  children: ReactNode
}

/** The popup of a Popover. */
export function PopoverPopup({ label, placement, trigger, open, close, children }: PopupProps) {
  return (
    <Popover
      className={styles.popover ?? ''}
      triggerRef={trigger.ref}
      trigger="DialogTrigger"
      placement={placement}
      offset={6}
      isOpen={open}
      onOpenChange={(stays) => stays || close()}
    >
      <Dialog className={styles.content ?? ''} aria-label={label}>
        {children}
      </Dialog>
    </Popover>
  )
}
