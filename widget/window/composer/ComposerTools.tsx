import { useRef, useState } from 'react'
import type { Labels } from '../appearance/labels.ts'
import { AttachIcon, MicrophoneIcon, SmileIcon } from '../icons.tsx'
import { useLazy } from '../useLazy.ts'

interface Props {
  labels: Labels
  canAttach: boolean
  canRecord: boolean
  attach: (files: File[]) => void
  record: () => void
  insert: (emoji: string) => void
}

const loadPicker = () => import('../lazy/EmojiPicker.tsx')

/** Buttons for files, voice messages and emoji. */
export function ComposerTools({ labels, canAttach, canRecord, attach, record, insert }: Props) {
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
        aria-label={labels.emoji}
        title={labels.emoji}
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
          label={labels.emoji}
          pick={(emoji) => {
            setPicking(false)
            insert(emoji)
          }}
          close={stopPicking}
        />
      )}
      {canAttach && (
        <>
          <button
            type="button"
            className="tool"
            aria-label={labels.attach}
            title={labels.attach}
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
        <button type="button" className="tool" aria-label={labels.record} title={labels.record} onClick={record}>
          <MicrophoneIcon />
        </button>
      )}
    </>
  )
}
