const VOLUME = 0.2

/** A short sound for a message that nobody is looking at. Browsers allow it only after the visitor has touched the page. */
export function createSound() {
  let sound: HTMLAudioElement | undefined
  let isAllowed = false
  const allow = () => {
    isAllowed = true
  }
  for (const gesture of ['pointerdown', 'keydown']) addEventListener(gesture, allow, { once: true })
  return () => {
    if (!isAllowed && !navigator.userActivation?.hasBeenActive) return
    sound ??= new Audio('/alert.mp3')
    sound.volume = VOLUME
    sound.currentTime = 0
    void sound.play().catch(() => undefined)
  }
}
