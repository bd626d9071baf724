import type { ReactElement, ReactNode } from 'react'
import { type TriggerProps, useTrigger } from './useTrigger.ts'

interface PopoverProps {
  /** The accessible name. */
  label: string
  placement?: 'bottom start' | 'right bottom'
  content: ReactNode
  /** Renders the trigger button, which needs a name and takes the given props. */
  children: (trigger: TriggerProps) => ReactElement
}

const load = async () => (await import('./PopoverPopup.tsx')).PopoverPopup

/** A small popup beside its button; a click elsewhere or Escape closes it. */
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
