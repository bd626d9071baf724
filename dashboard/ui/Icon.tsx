import { ICON_PATHS, type IconName } from './icon-paths.ts'

interface IconProps {
  name: IconName
  size?: number
  className?: string | undefined
}

/** A line icon, hidden from screen readers: its parent needs an accessible name. */
export function Icon({ name, size = 20, className }: IconProps) {
  const path = ICON_PATHS[name]
  return (
    <svg
      className={className}
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  )
}
