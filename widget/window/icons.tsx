// Icons for this window: 20 by 20, one stroke width, in the text color.

export function ClockIcon() {
  return (
    <svg viewBox="0 0 20 20" className="clock" aria-hidden="true">
      <circle cx="10" cy="10" r="7" />
      <path d="M10 6v4l2.5 1.5" />
    </svg>
  )
}

function draw(path: string) {
  return () => (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

export const CloseIcon = draw('M5 5l10 10M15 5L5 15')
export const SendIcon = draw('M10 16V4.5M4.75 9.5L10 4.25l5.25 5.25')
export const DownIcon = draw('M10 4v11M5 10.5l5 5 5-5')
export const AttachIcon = draw(
  'M16 9.2l-6.4 6.4a3.9 3.9 0 01-5.5-5.5l6.7-6.7a2.6 2.6 0 013.7 3.7l-6.6 6.6a1.3 1.3 0 01-1.9-1.9l6-6',
)
export const SmileIcon = draw('M17 10a7 7 0 11-14 0 7 7 0 0114 0M7.2 11.8a3.4 3.4 0 005.6 0M7.6 7.8v.1M12.4 7.8v.1')
export const MicrophoneIcon = draw('M7.5 5.5a2.5 2.5 0 015 0v4a2.5 2.5 0 01-5 0zM4.5 9.5a5.5 5.5 0 0011 0M10 15v2.5')
export const PlayIcon = draw('M7 4.8v10.4l8.2-5.2z')
export const PauseIcon = draw('M7 5v10M13 5v10')
export const FileIcon = draw('M11.5 3H6a1 1 0 00-1 1v12a1 1 0 001 1h8a1 1 0 001-1V6.5zM11.5 3v3.5H15')
export const DownloadIcon = draw('M10 3.5v9M6.2 9L10 12.8 13.8 9M4.5 16h11')
export const ChatsIcon = draw(
  'M13.5 4.5h-9a1 1 0 00-1 1v6a1 1 0 001 1H6V15l3-2.5h4.5a1 1 0 001-1v-6a1 1 0 00-1-1zM16.5 8v6.5a1 1 0 01-1 1H15V17l-2.5-1.5h-2',
)
export const BackIcon = draw('M12 4.5L6.5 10l5.5 5.5')
export const PlusIcon = draw('M10 4.5v11M4.5 10h11')
