import { CloseIcon } from './icons.tsx'

interface Props {
  title: string
  subtitle: string
  availability?: { isOnline: boolean; text: string }
  close?: { label: string; run: () => void }
}

/** Who one is talking to, in the brand's color. */
export function Header({ title, subtitle, availability, close }: Props) {
  return (
    <header className="header">
      <div className="header-text">
        <h1 dir="auto">{title}</h1>
        {subtitle && <p dir="auto">{subtitle}</p>}
        {availability && (
          <p className="availability" data-online={availability.isOnline}>
            {availability.text}
          </p>
        )}
      </div>
      {close && (
        <button type="button" className="icon-button" aria-label={close.label} title={close.label} onClick={close.run}>
          <CloseIcon />
        </button>
      )}
    </header>
  )
}
