import { Tooltip } from 'antd'
import type { MouseEvent, ReactNode, Ref } from 'react'
import { Icon } from './Icon.tsx'
import styles from './IconButton.module.css'
import type { IconName } from './icon-paths.ts'
import { Keys } from './Keys.tsx'

interface IconButtonProps {
  icon: IconName
  /** Its name, also shown as a tooltip. */
  label: string
  /** The keys that do the same, such as `mod+d`. */
  keys?: string
  onClick?: (event: MouseEvent) => void
  /** For switches: on or off. */
  pressed?: boolean
  disabled?: boolean
  /** For buttons with a menu: whether it is open. Its tooltip would lie over it. */
  menu?: boolean
  /** Its tooltip would lie over what it has opened. */
  silent?: boolean
  tone?: 'danger' | 'star'
  placement?: 'top' | 'right' | 'bottom'
  ref?: Ref<HTMLButtonElement>
}

export function IconButton(props: IconButtonProps) {
  const { icon, label, keys, pressed, menu, silent = menu, tone, placement = 'bottom', ...rest } = props
  return (
    <Tooltip
      title={<TooltipText label={label} keys={keys} />}
      placement={placement}
      mouseEnterDelay={0.4}
      {...(silent && { open: false })}
    >
      <button
        type="button"
        className={styles.button}
        aria-label={label}
        aria-pressed={pressed}
        aria-haspopup={menu === undefined ? undefined : 'menu'}
        aria-expanded={menu}
        data-tone={tone}
        {...rest}
      >
        <Icon name={icon} />
      </button>
    </Tooltip>
  )
}

/** What a tooltip says: a name, and the keys for it. */
export function TooltipText({ label, keys }: { label: ReactNode; keys?: string | undefined }) {
  return (
    <span className={styles.tooltip}>
      {label}
      {keys && <Keys of={keys} />}
    </span>
  )
}
