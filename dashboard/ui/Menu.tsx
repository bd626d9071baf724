import { Dropdown, type MenuProps as KitProps } from 'antd'
import { type ReactElement, useRef } from 'react'

interface MenuProps {
  items: NonNullable<KitProps['items']>
  disabled?: boolean
  /** Which of them holds now, where one is chosen. */
  chosen?: string
  className?: string
  onOpenChange?: (isOpen: boolean) => void
  /** The button that opens it. */
  children: ReactElement
}

/**
 * What can be done, one below the other. The focus goes into the menu, and back to the button before anything is done:
 * a window that is opened from here remembers where it has to return it.
 */
export function Menu({ items, disabled = false, chosen, className, children, ...rest }: MenuProps) {
  const place = useRef<HTMLSpanElement>(null)
  const goBack: KitProps['onClick'] = ({ domEvent }) => {
    // The key that chose would press the button next, and open the menu again.
    domEvent.preventDefault()
    place.current?.querySelector('button')?.focus()
  }
  return (
    // Only there to find the button again: in layouts the button stands for itself.
    <span ref={place} style={{ display: 'contents' }}>
      <Dropdown
        autoFocus
        trigger={['click']}
        placement="bottomRight"
        disabled={disabled}
        destroyOnHidden
        menu={{
          items,
          className,
          onClick: goBack,
          ...(chosen !== undefined && { selectable: true, selectedKeys: [chosen] }),
        }}
        {...rest}
      >
        {children}
      </Dropdown>
    </span>
  )
}
