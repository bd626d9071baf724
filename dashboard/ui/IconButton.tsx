import type { ComponentProps } from 'react'
import { Icon } from './Icon.tsx'
import styles from './IconButton.module.css'
import type { IconName } from './icon-paths.ts'
import { Tooltip } from './Tooltip.tsx'

/** What a Menu or Popover gives the button that opens it reaches the button, too. */
interface IconButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'children' | 'type' | 'aria-label'> {
  icon: IconName
  /** Its name, also shown as a tooltip. */
  label: string
  /** The keys that do the same, such as `mod+d`. */
  keys?: string
  /** For toggle buttons: pressed or not. */
  pressed?: boolean
  /** Its tooltip would lie over what it has opened. */
  silent?: boolean
  tone?: 'danger' | 'star'
  placement?: 'top' | 'right' | 'bottom'
}

/** A button that is only an icon, named for screen readers and by a tooltip. */
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
