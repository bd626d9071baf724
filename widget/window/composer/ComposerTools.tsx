import { useRef, useState } from 'react'
import type { Words } from '../appearance/words.ts'
import { AttachIcon, MicrophoneIcon, SmileIcon } from '../icons.tsx'
import { useLazy } from '../useLazy.ts'

interface Props {
  words: Words
  canAttach: boolean
  canRecord: boolean
  attach: (files: File[]) => void
  record: () => void
  insert: (sign: string) => void
}

const loadPicker = () => import('../lazy/EmojiPicker.tsx')

/** Buttons for files, voice messages and emoji. */
export function ComposerTools({ words, canAttach, canRecord, attach, record, insert }: Props) {
  const [isPicking, setPicking] = useState(false)
  const picker = useLazy(isPicking, loadPicker)
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  function stopPicking() {
    setPicking(false)
    button.current?.focus()
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className="tool"
        aria-label={words.emoji}
        title={words.emoji}
        aria-expanded={isPicking}
        onClick={() => setPicking(!isPicking)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !isPicking) return
          // Closes the emoji picker without closing the chat.
          event.stopPropagation()
          setPicking(false)
        }}
      >
        <SmileIcon />
      </button>
      {isPicking && picker && (
        <picker.EmojiPicker
          label={words.emoji}
          pick={(sign) => {
            setPicking(false)
            insert(sign)
          }}
          close={stopPicking}
        />
      )}
      {canAttach && (
        <>
          <button
            type="button"
            className="tool"
            aria-label={words.attach}
            title={words.attach}
            onClick={() => input.current?.click()}
          >
            <AttachIcon />
          </button>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            onChange={({ currentTarget }) => {
              attach([...(currentTarget.files ?? [])])
              // Allows the same file to be chosen again.
              currentTarget.value = ''
            }}
          />
        </>
      )}
      {canRecord && (
        <button type="button" className="tool" aria-label={words.record} title={words.record} onClick={record}>
          <MicrophoneIcon />
        </button>
      )}
    </>
  )
}
