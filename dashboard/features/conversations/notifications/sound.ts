import { t } from 'i18next'
import { logError } from '../../../platform/http/errors.ts'
import { withLock } from '../../../platform/session/tab-lock.ts'
import { storage } from '../../../platform/storage.ts'
import { dismissKey, notify } from '../../../ui/notices.ts'
import { readVolume, VOLUMES } from './volume.ts'

const SOUND = '/alert-v2.mp3'
const EVERY_MS = 10_000
/** A sound that has not begun by then must not keep the other tabs waiting. */
const BEGUN_MS = 3_000
/** By then the other tabs have heard of the message, too, and had their turn. */
const OTHERS_MS = 3_000
/** By then tabs in other processes see what was stored: a lock says nothing about storage. */
const SETTLED_MS = 500
/** In storage that all tabs share: when one of them rang, and how new the newest message was for which it did. */
const RANG_AT = 'parley.rang_at'
const RANG_FOR = 'parley.rang_for'
/** Tabs decide one after the other who rings. */
const LOCK = 'parley.ring'

let audio: HTMLAudioElement | undefined

/**
 * Plays the sound for new messages: in one tab of this browser, and at most once in ten seconds. A tab that the browser
 * keeps silent leaves it to another one, and says so where none may play it.
 * @param created_at when the newest of the messages was written
 */
export async function ringFor(created_at: string): Promise<void> {
  if (await withLock(LOCK, () => ringUnlessDone(created_at))) return
  await new Promise((resolve) => setTimeout(resolve, OTHERS_MS))
  if (!isDone(created_at)) offerUnlock()
}

/** Plays the sound at once, as a test. */
export async function testSound(): Promise<void> {
  if (!(await play())) offerUnlock()
}

/** Returns whether nothing remains to be done. */
async function ringUnlessDone(created_at: string): Promise<boolean> {
  if (isDone(created_at)) return true
  const isPlayed = await play()
  if (isPlayed) {
    storage.setItem(RANG_AT, String(Date.now()))
    storage.setItem(RANG_FOR, created_at)
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS))
  }
  return isPlayed
}

/** Whether it rang just now, or for this message: a tab that slept hears of messages later than the others. */
function isDone(created_at: string): boolean {
  // The absolute value, because the clock may have been set back.
  const isJustNow = Math.abs(Date.now() - Number(storage.getItem(RANG_AT))) < EVERY_MS
  return isJustNow || created_at <= (storage.getItem(RANG_FOR) ?? '')
}

/** Returns false where the browser forbids it. */
async function play(): Promise<boolean> {
  audio ??= new Audio(SOUND)
  audio.volume = VOLUMES[readVolume()]
  audio.currentTime = 0
  try {
    await Promise.race([audio.play(), new Promise((resolve) => setTimeout(resolve, BEGUN_MS))])
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotAllowedError') return false
    logError('Sound not played', error)
  }
  return true
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
    action: { label: t('notifications.sound_unlock'), run: () => void testSound() },
    seconds: Number.POSITIVE_INFINITY,
  })
}
