import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyComponent } from '../../../../platform/lazy/lazy-component.tsx'
import { withTexts } from '../../../../platform/texts.ts'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { LazyMount } from '../../../../ui/LazyMount.tsx'

const EmojiPicker = lazyComponent(withTexts(['emoji'], async () => (await import('./EmojiPicker.tsx')).EmojiPicker))

/** Opens the emoji picker. It closes with a click elsewhere, with Escape, and after a choice. */
export function EmojiButton({ choose }: { choose: (character: string) => void }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const around = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (!open) return
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !around.current?.contains(target)) setOpen(false)
    }
    document.addEventListener('pointerdown', leave)
    return () => document.removeEventListener('pointerdown', leave)
  }, [open])
  return (
    <span ref={around}>
      <IconButton
        ref={button}
        icon="smile"
        label={t('composer.emoji')}
        placement="top"
        pressed={open}
        silent={open}
        onClick={() => setOpen(!open)}
      />
      <LazyMount when={open}>
        {open && (
          <EmojiPicker
            choose={(character) => {
              setOpen(false)
              choose(character)
            }}
            close={() => {
              setOpen(false)
              button.current?.focus()
            }}
          />
        )}
      </LazyMount>
    </span>
  )
}
