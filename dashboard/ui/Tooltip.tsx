import type { ComponentProps, ReactNode } from 'react'
import { Focusable } from 'react-aria-components/Focusable'
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip'
import { Keys } from './Keys.tsx'
import styles from './Tooltip.module.css'

interface TooltipProps {
  text: ReactNode
  /** The keyboard shortcut, such as `mod+d`. */
  keys?: string | undefined
  placement?: 'top' | 'right' | 'bottom'
  /** Hides the tooltip, which would cover what its button has opened. */
  silent?: boolean | undefined
  /** A button or link, which needs an accessible name, because touch users never see the tooltip. */
  children: ComponentProps<typeof Focusable>['children']
}

const DELAY_MS = 400

/** A text beside a control while it is hovered or focused. */
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
