const VOLUME = 0.2

/** A short sound for a message that the visitor does not see. Browsers allow it only after an interaction. */
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
