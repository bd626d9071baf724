import { useEffect, useRef, useState } from 'react'
import type { StoredFile } from '#contract/conversations/messages.ts'
import { PauseIcon, PlayIcon } from '../icons.tsx'
import { formatDuration } from '../times.ts'
import './VoicePlayer.css'
import type { Labels } from '../appearance/labels.ts'

interface Props {
  file: StoredFile
  seconds: number | undefined
  labels: Labels
}

/** Plays a voice message: a button, the position and the length. Starting one pauses the others. */
export function VoicePlayer({ file, seconds, labels }: Props) {
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [at, setAt] = useState(0)
  const [measured, setMeasured] = useState<number>()
  // Files recorded by browsers often have no duration until they have been played to the end.
  const length = seconds ?? measured ?? 0

  useEffect(() => {
    const stopOthers = ({ target }: Event) => {
      if (target !== audio.current) audio.current?.pause()
    }
    document.addEventListener('play', stopOthers, true)
    return () => document.removeEventListener('play', stopOthers, true)
  }, [])

  function toggle() {
    const { current } = audio
    if (!current) return
    if (current.paused) void current.play().catch(() => setPlaying(false))
    else current.pause()
  }

  return (
    <div className="voice">
      {/* biome-ignore lint/a11y/useMediaCaption: there is no transcript of a visitor's voice message. */}
      <audio
        ref={audio}
        src={file.file_url}
        preload="metadata"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setAt(0)}
        onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
        onLoadedMetadata={({ currentTarget: { duration } }) => Number.isFinite(duration) && setMeasured(duration)}
      />
      <button type="button" className="round" aria-label={isPlaying ? labels.pause : labels.play} onClick={toggle}>
        {isPlaying ? <PauseIcon /> : <PlayIcon />}
      </button>
      <input
        type="range"
        min={0}
        max={Math.max(length, at, 1)}
        step={0.1}
        value={at}
        aria-label={labels.voice}
        aria-valuetext={formatDuration(at)}
        onChange={({ currentTarget: { value } }) => {
          if (audio.current) audio.current.currentTime = Number(value)
        }}
      />
      <span className="voice-time">{formatDuration(isPlaying || at > 0 ? at : length)}</span>
    </div>
  )
}
