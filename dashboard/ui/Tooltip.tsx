import type { ComponentProps, ReactNode } from 'react'
import { Focusable } from 'react-aria-components/Focusable'
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip'
import { Keys } from './Keys.tsx'
import styles from './Tooltip.module.css'

interface TooltipProps {
  text: ReactNode
  /** The keys that do the same, such as `mod+d`. */
  keys?: string | undefined
  placement?: 'top' | 'right' | 'bottom'
  /** Says nothing for now: it would lie over what its button has opened. */
  silent?: boolean | undefined
  /** One button or link; it needs a name of its own, because fingers never see the tooltip. */
  children: ComponentProps<typeof Focusable>['children']
}

const DELAY_MS = 400

/** A word about a control for those who rest on it with the pointer or the focus. */
export function Tooltip({ text, keys, placement = 'bottom', silent = false, children }: TooltipProps) {
  return (
    <TooltipTrigger delay={DELAY_MS} closeDelay={0} isDisabled={silent}>
      <Focusable>{children}</Focusable>
      <AriaTooltip className={styles.tooltip ?? ''} placement={placement} offset={6}>
        {text}
        {keys && <Keys of={keys} />}
      </AriaTooltip>
    </TooltipTrigger>
  )
}
