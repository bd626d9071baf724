import { storage } from '../../../platform/storage.ts'

const KEY = 'parley.sound_volume'

/** From 0 to 1. */
export const VOLUMES = { quiet: 0.2, medium: 0.5, loud: 1 }
export type Volume = keyof typeof VOLUMES

/** How loud this browser rings: a laptop beside others is not a phone in a workshop. */
export function readVolume(): Volume {
  const stored = storage.getItem(KEY)
  return stored === 'medium' || stored === 'loud' ? stored : 'quiet'
}

export function chooseVolume(volume: Volume) {
  storage.setItem(KEY, volume)
}
