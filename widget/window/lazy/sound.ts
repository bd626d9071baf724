import { read, write } from '../storage.ts'

/** By then tabs in other processes see what was written: a lock says nothing about storage. */
const SETTLED_MS = 500

const sound = new Audio('/alert.mp3')
sound.volume = 0.2
const play = () => void sound.play().catch(() => undefined)

/** Lets the sound be played later: Safari only plays what a gesture has started before. */
export function unlock() {
  window.onpointerdown = window.onkeydown = null
  if (sound.paused) {
    play()
    sound.pause()
  }
}

/**
 * A short sound for a message of this time, once in all tabs of the website: the newest message for which one of them
 * rang, or at which the visitor looks, is kept in storage under this name.
 */
export function ring(name: string, at: string, isSeen: boolean) {
  const key = `${name}:rang`
  const claim = async () => {
    if ((read(key) ?? '') >= at) return
    write(key, at)
    // Browsers refuse before any interaction with the website.
    if (!isSeen) play()
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS))
  }
  // Without TLS, or where storage is forbidden, there are no locks.
  void (navigator.locks?.request(key, claim).catch(claim) ?? claim())
}
