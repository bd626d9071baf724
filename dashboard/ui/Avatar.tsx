import { useState } from 'react'
import { firstGrapheme } from '#contract/text/first-grapheme.ts'
import styles from './Avatar.module.css'
import { usePicture } from './pictures.ts'
import { AVATAR_COLORS } from './tokens.ts'

interface AvatarProps {
  /** Determines the color, so that it is always the same. */
  id: string | number
  name: string
  photo?: string | null
  size?: number
  /** Shows a dot on the edge: online. */
  online?: boolean
  /** Shows a shape instead of initials, for customers without a name. */
  anonymous?: boolean
}

/** A profile picture, or initials if there is none or it does not load. Decorative: the name is shown beside it. */
export function Avatar({ id, name, photo, size = 32, online = false, anonymous = false }: AvatarProps) {
  const number = avatarColor(String(id))
  const picture = usePicture(photo)
  const [broken, setBroken] = useState<string>()
  return (
    <span
      className={styles.avatar}
      data-online={online || undefined}
      aria-hidden="true"
      style={{
        width: size,
        height: size,
        fontSize: Math.round(size * 0.38),
        color: `var(--avatar-${number}-ink)`,
        background: `var(--avatar-${number}-ground)`,
      }}
    >
      {picture && picture !== broken ? (
        <img src={picture} alt="" width={size} height={size} onError={() => setBroken(picture)} />
      ) : anonymous ? (
        <Face />
      ) : (
        // Rendered by CSS, so that they are not part of a button's accessible name.
        <span className={styles.initials} data-initials={initials(name)} />
      )}
    </span>
  )
}

function Face() {
  return (
    <svg
      viewBox="0 0 20 20"
      width="66%"
      height="66%"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.6}
      aria-hidden="true"
    >
      <circle cx="10" cy="7.5" r="3" />
      <path d="M4 17c.5-3.200 2.800-4.800 6-4.800s5.5 1.600 6 4.800" strokeLinecap="round" />
    </svg>
  )
}

/** The number of an avatar color, from 1, always the same for the same id. */
export function avatarColor(id: string): number {
  let hash = 0
  for (let at = 0; at < id.length; at++) hash = (hash * 31 + id.charCodeAt(at)) >>> 0
  return (hash % AVATAR_COLORS) + 1
}

/** Up to two letters: of the first and last word, or of an email address before the @. */
export function initials(name: string): string {
  const words = (name.split('@')[0] ?? '').split(/[\s._-]+/u).filter(Boolean)
  const first = firstGrapheme(words[0] ?? '')
  const last = words.length > 1 ? firstGrapheme(words.at(-1) ?? '') : ''
  return `${first || '?'}${last}`.toLocaleUpperCase()
}
