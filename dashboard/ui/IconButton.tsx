import type { ComponentProps } from 'react'
import { Icon } from './Icon.tsx'
import styles from './IconButton.module.css'
import type { IconName } from './icon-paths.ts'
import { Tooltip } from './Tooltip.tsx'

/** Other props, such as those that a Menu or Popover passes to its trigger, go to the button element. */
interface IconButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'children' | 'type' | 'aria-label'> {
  icon: IconName
  /** The accessible name, also shown as a tooltip. */
  label: string
  /** The keyboard shortcut, such as `mod+d`. */
  keys?: string
  /** For toggle buttons: whether it is pressed. */
  pressed?: boolean
  /** Hides the tooltip, which would cover what the button has opened. */
  silent?: boolean
  tone?: 'danger' | 'star'
  placement?: 'top' | 'right' | 'bottom'
}

/** A button that is only an icon, with a name for screen readers and a tooltip. */
export function IconButton({ icon, label, keys, pressed, silent, tone, placement, ...rest }: IconButtonProps) {
  return (
    <Tooltip
      text={label}
      keys={keys}
      placement={placement ?? 'bottom'}
      silent={silent ?? rest['aria-expanded'] === true}
    >
      <button
        type="button"
        className={styles.button}
        aria-label={label}
        aria-pressed={pressed}
        data-tone={tone}
        {...rest}
      >
        <Icon name={icon} />
      </button>
    </Tooltip>
  )
}
