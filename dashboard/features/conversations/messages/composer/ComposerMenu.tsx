import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './ComposerMenu.module.css'
import type { Menu } from './useComposerMenu.ts'

const NAMES = { '@': 'teammates', '/': 'replies', '#': 'replies', ':': 'emoji' } as const

/** The suggestions above the text field, which keeps the focus; arrows, Enter and Tab choose. */
export function ComposerMenu({ menu: { id, character, options, active, point, choose } }: { menu: Menu }) {
  const { t } = useTranslation()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div className={styles.menu} ref={list} id={id} role="listbox" aria-label={t(`composer.menus.${NAMES[character]}`)}>
      {options.map((option, at) => (
        <div
          key={option.key}
          id={optionId(id, at)}
          className={styles.option}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          // Keeps the focus in the text field.
          onMouseDown={(event) => {
            event.preventDefault()
            choose(at)
          }}
          onMouseMove={() => at !== active && point(at)}
        >
          {option.icon && <span className={styles.icon}>{option.icon}</span>}
          <span className={styles.name} dir="auto">
            {option.name}
          </span>
          {option.hint && (
            <span className={styles.hint} dir="auto">
              {option.hint}
            </span>
          )}
        </div>
      ))}
    </div>
  )
}

/** The id of an option, for `aria-activedescendant`. */
export function optionId(id: string, at: number): string {
  return `${id}-${at}`
}
