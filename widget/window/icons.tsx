// Drawn for this window: 20 by 20, one stroke width, in the color of the text around.

export function CloseIcon() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d="M5 5l10 10M15 5L5 15" />
    </svg>
  )
}

export function SendIcon() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d="M10 16V4.5M4.75 9.5L10 4.25l5.25 5.25" />
    </svg>
  )
}

export function DownIcon() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d="M10 4v11M5 10.5l5 5 5-5" />
    </svg>
  )
}

export function ClockIcon() {
  return (
    <svg viewBox="0 0 20 20" className="clock" aria-hidden="true">
      <circle cx="10" cy="10" r="7" />
      <path d="M10 6v4l2.5 1.5" />
    </svg>
  )
}
