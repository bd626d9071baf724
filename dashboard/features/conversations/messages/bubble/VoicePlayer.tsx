import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StoredFile } from '#contract/conversations/messages.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import styles from './VoicePlayer.module.css'

interface PlayerProps {
  file: StoredFile
  /** The length that its sender measured. */
  seconds: number | undefined
}

/** Plays a voice message: a button, the position and the length, which the browser's own controls do not show. */
export function VoicePlayer({ file, seconds }: PlayerProps) {
  const { t } = useTranslation()
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [at, setAt] = useState(0)
  const [measured, setMeasured] = useState<number>()
  // Files recorded by browsers often have no duration until they have been played to the end.
  const length = seconds ?? measured ?? 0
  const toggle = () => {
    const element = audio.current
    if (!element?.paused) return element?.pause()
    pauseOthers(element)
    element.play().catch(() => setPlaying(false))
  }
  return (
    <div className={styles.voice}>
      {/* biome-ignore lint/a11y/useMediaCaption: there is no transcript of a voice message. */}
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
      <button type="button" aria-label={t(isPlaying ? 'files.pause' : 'files.play')} onClick={toggle}>
        <Icon name={isPlaying ? 'pause' : 'play'} size={18} />
      </button>
      <input
        type="range"
        min={0}
        max={Math.max(length, at, 1)}
        step={0.1}
        value={at}
        aria-label={t('files.voice')}
        aria-valuetext={formatDuration(at)}
        onChange={({ target }) => {
          if (audio.current) audio.current.currentTime = Number(target.value)
        }}
      />
      <span className="figures">{formatDuration(isPlaying || at > 0 ? at : length)}</span>
    </div>
  )
}

function pauseOthers(own: HTMLAudioElement) {
  for (const element of document.querySelectorAll('audio')) if (element !== own) element.pause()
}

/** `0:07`: minutes and seconds. */
function formatDuration(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
