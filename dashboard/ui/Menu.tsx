import { Dropdown, type MenuProps as KitProps } from 'antd'
import { type ReactElement, useRef } from 'react'

interface MenuProps {
  items: NonNullable<KitProps['items']>
  disabled?: boolean
  /** The button that opens it. */
  children: ReactElement
}

/**
 * What can be done, one below the other. The focus goes into the menu, and back to the button before anything is done:
 * a window that is opened from here remembers where it has to return it.
 */
export function Menu({ items, disabled = false, children }: MenuProps) {
  const place = useRef<HTMLSpanElement>(null)
  const goBack: KitProps['onClick'] = ({ domEvent }) => {
    // The key that chose would press the button next, and open the menu again.
    domEvent.preventDefault()
    place.current?.querySelector('button')?.focus()
  }
  return (
    <span ref={place}>
      <Dropdown
        autoFocus
        trigger={['click']}
        placement="bottomRight"
        disabled={disabled}
        destroyOnHidden
        menu={{ items, onClick: goBack }}
      >
        {children}
      </Dropdown>
    </span>
  )
}
