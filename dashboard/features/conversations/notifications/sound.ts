import { t } from 'i18next'
import { logError } from '../../../platform/http/errors.ts'
import { storage } from '../../../platform/storage.ts'
import { dismissKey, notify } from '../../../ui/notices.ts'

const SOUND = '/alert-v2.mp3'
const VOLUME = 0.2
const EVERY_MS = 10_000
/** In storage that all tabs share, so that several open tabs ring once. */
const RANG_AT = 'parley.rang_at'

let audio: HTMLAudioElement | undefined

/** Plays the sound, at most once in ten seconds across all tabs. */
export async function playSound(now = Date.now()) {
  // The absolute value, because the clock may have been set back.
  if (Math.abs(now - Number(storage.getItem(RANG_AT))) < EVERY_MS) return
  storage.setItem(RANG_AT, String(now))
  await play()
}

/** Plays the sound at once, also as a preview. */
export async function play() {
  audio ??= new Audio(SOUND)
  audio.volume = VOLUME
  audio.currentTime = 0
  try {
    await audio.play()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotAllowedError') offerUnlock()
    else logError('Sound not played', error)
  }
}

/**
 * Browsers mute a page until the first interaction. Any interaction will do, so the notice is removed with the first.
 */
function offerUnlock() {
  const unlock = () => {
    removeEventListener('pointerdown', unlock, true)
    removeEventListener('keydown', unlock, true)
    dismissKey('sound')
  }
  addEventListener('pointerdown', unlock, true)
  addEventListener('keydown', unlock, true)
  notify({
    kind: 'info',
    key: 'sound',
    title: t('notifications.sound_locked'),
    text: t('notifications.sound_locked_text'),
    action: { label: t('notifications.sound_unlock'), run: () => void play() },
    seconds: Number.POSITIVE_INFINITY,
  })
}
