import { t } from 'i18next'
import { logError } from '../../platform/http/errors.ts'
import { storage } from '../../platform/storage.ts'
import { dismissKey, notify } from '../../ui/notices.ts'

const SOUND = '/alert-v2.mp3'
const VOLUME = 0.2
const EVERY_MS = 10_000
/** Kept where every tab sees it, so that three open tabs ring once. */
const RANG_AT = 'parley.rang_at'

let audio: HTMLAudioElement | undefined

/** Rings, at most once in ten seconds whatever happens and however many tabs are open. */
export async function ring(now = Date.now()) {
  // Either way, because the clock may have been set back since.
  if (Math.abs(now - Number(storage.getItem(RANG_AT))) < EVERY_MS) return
  storage.setItem(RANG_AT, String(now))
  await play()
}

/** Plays the sound at once: somebody wants to hear what it is like. */
export async function play() {
  audio ??= new Audio(SOUND)
  audio.volume = VOLUME
  audio.currentTime = 0
  try {
    await audio.play()
  } catch (error) {
    logError('Sound not played', error)
    if (error instanceof DOMException && error.name === 'NotAllowedError') askToUnlock()
  }
}

/** Browsers keep a page silent until somebody has touched it. Any touch will do, so the notice leaves with the first. */
function askToUnlock() {
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
