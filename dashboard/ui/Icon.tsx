import { ICON_PATHS, type IconName } from './icon-paths.ts'

interface IconProps {
  name: IconName
  size?: number
  className?: string | undefined
}

/** A line icon of ours. It says nothing to screen readers: what carries it has a name. */
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
