import { type ClipboardEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import './Composer.css'
import type { Labels } from '../appearance/labels.ts'
import type { Chat } from '../chat.ts'
import { SendIcon } from '../icons.tsx'
import type { ChatState } from '../state.ts'
import { useLazy } from '../useLazy.ts'
import { ComposerTools } from './ComposerTools.tsx'

/** Whether voice messages can be recorded. Sites without TLS and old browsers have no microphone access. */
const HAS_MICROPHONE = typeof MediaRecorder === 'function' && !!navigator.mediaDevices

interface Props {
  chat: Chat
  state: ChatState
  labels: Labels
}

/** The server's limit for one message, in characters. */
const MAX_MESSAGE_LENGTH = 50_000

const loadTray = () => import('../lazy/FileTray.tsx')
const loadRecorder = () => import('../lazy/VoiceRecorder.tsx')

/** The message field, one to four lines high; the draft is stored until it is sent. */
export function Composer({ chat, state, labels }: Props) {
  const { appearance, files, openings, draftings } = state
  const [text, setText] = useState(() => chat.writing.readDraft())
  const [isRecording, setRecording] = useState(false)
  const [isQueued, setQueued] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const tray = useLazy(files.length > 0, loadTray)
  const recorder = useLazy(isRecording, loadRecorder)
  const placeholder = appearance.newMessagePlaceholder || labels.placeholder
  const isBusy = chat.files.isBusy()
  const isReady = (!!text.trim() || files.some(({ state: is }) => is === 'stored')) && !isBusy
  const canAttach = !appearance.isHideAttachments
  const canRecord = HAS_MICROPHONE && !appearance.isHideVoice && !text.trim() && files.length === 0

  useEffect(() => {
    if (openings > 0) area.current?.focus()
  }, [openings])

  useEffect(() => {
    const focusOnKey = ({ key, ctrlKey, metaKey, altKey }: globalThis.KeyboardEvent) => {
      if (document.activeElement !== document.body || key.length > 1 || ctrlKey || metaKey || altKey) return
      area.current?.focus()
    }
    // Safari ignores focus() in a cross-origin frame before the visitor interacts with it, so the first key press sets
    // the focus.
    addEventListener('keydown', focusOnKey)
    return () => removeEventListener('keydown', focusOnKey)
  }, [])

  useEffect(() => {
    if (draftings > 0) setText(chat.writing.readDraft())
  }, [chat, draftings])

  // A message that was sent during an upload waits for it. If that fails, the file tray shows why.
  useEffect(() => {
    if (!isQueued || isBusy) return
    setQueued(false)
    if (files.every(({ state: is }) => is === 'stored')) send()
  })

  useLayoutEffect(() => {
    const { current } = area
    if (current?.value !== text) return
    current.style.height = 'auto'
    current.style.height = `${current.scrollHeight}px`
  }, [text])

  function write(next: string) {
    setText(next)
    setQueued(false)
    chat.writing.storeDraft(next)
  }

  function send() {
    setQueued(isBusy)
    if (isReady && chat.writing.send(text)) {
      setText('')
      area.current?.focus()
    }
  }

  /** Inserts at the cursor, as if it had been typed: the field reports it, and undo takes it back. */
  function insert(emoji: string) {
    area.current?.focus()
    document.execCommand('insertText', false, emoji)
  }

  function sendOnEnter(event: KeyboardEvent) {
    // During composition Enter confirms a candidate; Safari reports that key after the composition has ended, with key
    // code 229.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return
    event.preventDefault()
    send()
  }

  function attachPasted(event: ClipboardEvent) {
    const { files: pasted, types } = event.clipboardData
    // Cells of a spreadsheet come with a picture of them; only their text is wanted.
    if (!canAttach || pasted.length === 0 || types.includes('text/plain')) return
    event.preventDefault()
    chat.files.add([...pasted])
  }

  if (isRecording && recorder) {
    const stop = () => {
      setRecording(false)
      requestAnimationFrame(() => area.current?.focus())
    }
    return (
      <recorder.VoiceRecorder labels={labels} add={(file, seconds) => chat.files.add([file], seconds)} stop={stop} />
    )
  }
  return (
    <div className="writing">
      {files.length > 0 && tray && (
        <tray.FileTray uploads={chat.files} files={files} isQueued={isQueued} labels={labels} />
      )}
      <form
        className="composer"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <textarea
          ref={area}
          rows={1}
          dir={text ? 'auto' : undefined}
          value={text}
          maxLength={MAX_MESSAGE_LENGTH}
          placeholder={placeholder}
          aria-label={placeholder}
          enterKeyHint="send"
          onChange={({ target }) => write(target.value)}
          onKeyDown={sendOnEnter}
          onPaste={attachPasted}
        />
        <ComposerTools
          labels={labels}
          canAttach={canAttach}
          canRecord={canRecord}
          attach={(chosen) => chat.files.add(chosen)}
          record={() => setRecording(true)}
          insert={insert}
        />
        {!canRecord && (
          <button type="submit" className="send" aria-label={labels.send} title={labels.send} disabled={!isReady}>
            <SendIcon />
          </button>
        )}
      </form>
    </div>
  )
}
