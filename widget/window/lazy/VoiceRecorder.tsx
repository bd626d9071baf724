import { useEffect, useRef, useState } from 'react'
import { CloseIcon, SendIcon } from '../icons.tsx'
import { formatDuration } from '../times.ts'
import { type Recording, record } from './recording.ts'
import './VoiceRecorder.css'
import type { Labels } from '../appearance/labels.ts'

interface Props {
  labels: Labels
  add: (file: File, seconds: number) => void
  /** Returns to the composer. */
  stop: () => void
}

/** Keeps recordings well below the server's file limit. */
const MAX_SECONDS = 300

/** Replaces the composer while the visitor records. Only now does the browser ask for the microphone. */
export function VoiceRecorder({ labels, add, stop }: Props) {
  const recording = useRef<Recording>(undefined)
  const [seconds, setSeconds] = useState<number>()
  const [fault, setFault] = useState<'microphoneBlocked' | 'microphoneMissing'>()

  useEffect(() => {
    let isStopped = false
    record().then(
      (begun) => {
        if (isStopped) return begun.cancel()
        recording.current = begun
        setSeconds(0)
      },
      (error: unknown) => {
        const isMissing = error instanceof DOMException && /NotFound|Overconstrained/.test(error.name)
        setFault(isMissing ? 'microphoneMissing' : 'microphoneBlocked')
      },
    )
    return () => {
      isStopped = true
      recording.current?.cancel()
    }
  }, [])

  async function send() {
    const { current } = recording
    if (!current) return
    recording.current = undefined
    const { file, length } = await current.finish()
    add(file, length)
    stop()
  }

  useEffect(() => {
    if (seconds === undefined) return
    const timer = setInterval(() => setSeconds(recording.current?.seconds() ?? 0), 250)
    if (seconds >= MAX_SECONDS) void send()
    return () => clearInterval(timer)
  })

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys that bubble up from the buttons inside.
    <div
      className="recorder"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        stop()
      }}
    >
      <button type="button" className="tool" aria-label={labels.cancel} title={labels.cancel} onClick={stop}>
        <CloseIcon />
      </button>
      {fault ? (
        <p role="alert">{labels[fault]}</p>
      ) : (
        <>
          <p className="recorder-state" role="status">
            <i data-live={seconds !== undefined} aria-hidden="true" />
            {labels.recording}
          </p>
          <span className="recorder-time" role="timer">
            {formatDuration(seconds ?? 0)}
          </span>
          <SendVoice labels={labels} isReady={seconds !== undefined} send={() => void send()} />
        </>
      )}
    </div>
  )
}

function SendVoice({ labels, isReady, send }: { labels: Labels; isReady: boolean; send: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isReady) button.current?.focus()
  }, [isReady])
  return (
    <button
      ref={button}
      type="button"
      className="send"
      aria-label={labels.sendVoice}
      title={labels.sendVoice}
      disabled={!isReady}
      onClick={send}
    >
      <SendIcon />
    </button>
  )
}
