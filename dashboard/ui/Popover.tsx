import type { ReactElement, ReactNode } from 'react'
import { type TriggerProps, useTrigger } from './useTrigger.ts'

interface PopoverProps {
  /** Its name for screen readers. */
  label: string
  placement?: 'bottom start' | 'right bottom'
  content: ReactNode
  /** Draws the button that opens it, which has a name and takes what is given. */
  children: (trigger: TriggerProps) => ReactElement
}

const load = async () => (await import('./PopoverPopup.tsx')).PopoverPopup

/** A small window beside the button that opens it; a click elsewhere or Escape closes it. */
export function Popover({ label, placement = 'bottom start', content, children }: PopoverProps) {
  const { trigger, Popup, focus, close, opening } = useTrigger('dialog', load)
  return (
    <>
      {children(trigger)}
      {Popup && (
        <Popup
          key={opening}
          label={label}
          placement={placement}
          trigger={trigger}
          open={focus !== undefined}
          close={close}
        >
          {content}
        </Popup>
      )}
    </>
  )
}
