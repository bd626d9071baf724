import { type KeyboardEvent, useEffect, useRef } from 'react'
import './EmojiPicker.css'

/** A short selection, so that each emoji is one press away. */
const SIGNS = [
  ...'😀😄😂🙂😉😊😍😘🤗🤔😐🙄😅😬😴🥳😎🤓😕🙁😮😢😭😡🤯',
  ...'👍👎👌👋🙏👏💪🤝👀🤷🙋',
  '❤️',
  ...'💔💯✨⭐🎉🎁🔥⚡💡🚀✅❌❓❗⏳📷📎📦🚚🏠💳🐛🍀☕',
]
const COLUMNS = 8

interface Props {
  label: string
  pick: (emoji: string) => void
  close: () => void
}

/** A small grid of emoji. Arrow keys move through it; Escape and a press outside close it. */
export function EmojiPicker({ label, pick, close }: Props) {
  const board = useRef<HTMLDivElement>(null)

  const leaveNow = useRef(close)
  leaveNow.current = close

  useEffect(() => {
    board.current?.querySelector('button')?.focus()
    const leave = ({ target }: Event) => {
      if (!board.current?.contains(target as Node)) leaveNow.current()
    }
    addEventListener('pointerdown', leave)
    return () => removeEventListener('pointerdown', leave)
  }, [])

  function walk(event: KeyboardEvent<HTMLDivElement>) {
    if (event.key === 'Escape') {
      event.stopPropagation()
      return close()
    }
    const buttons = [...event.currentTarget.querySelectorAll('button')]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const ahead = document.documentElement.dir === 'rtl' ? -1 : 1
    const steps: Record<string, number> = {
      ArrowRight: ahead,
      ArrowLeft: -ahead,
      ArrowDown: COLUMNS,
      ArrowUp: -COLUMNS,
      Home: -at,
      End: buttons.length - 1 - at,
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    buttons[at + step]?.focus()
  }

  return (
    <div ref={board} className="emoji" role="dialog" aria-label={label} onKeyDown={walk}>
      {SIGNS.map((emoji, at) => (
        <button key={emoji} type="button" tabIndex={at === 0 ? 0 : -1} onClick={() => pick(emoji)}>
          {emoji}
        </button>
      ))}
    </div>
  )
}
