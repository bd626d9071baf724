import type { SyntheticEvent } from 'react'
import './Header.css'
import { BackIcon, ChatsIcon, CloseIcon } from './icons.tsx'

interface HeaderButton {
  label: string
  run: () => void
}

interface Props {
  title: string
  subtitle: string
  logo?: string
  availability?: { isOnline: boolean; text: string }
  /** Back from the list. */
  back?: HeaderButton
  /** To the list, with how many messages wait in other conversations. */
  list?: HeaderButton & { count: number }
  close?: HeaderButton
}

/** Who one is talking to, in the brand's color. */
export function Header({ title, subtitle, logo, availability, back, list, close }: Props) {
  return (
    <header className="header">
      {back && (
        <button type="button" className="icon-button turned" {...naming(back)}>
          <BackIcon />
        </button>
      )}
      {logo && <img key={logo} className="logo" src={logo} alt="" onError={hide} />}
      <div className="header-text">
        <h1 dir="auto">{title}</h1>
        {subtitle && <p dir="auto">{subtitle}</p>}
        {availability && (
          <p className="availability" data-online={availability.isOnline} role="status">
            <bdi>{availability.text}</bdi>
          </p>
        )}
      </div>
      {list && (
        <button type="button" className="icon-button" {...naming(list)}>
          <ChatsIcon />
          {list.count > 0 && <span className="count">{list.count}</span>}
        </button>
      )}
      {close && (
        <button type="button" className="icon-button" {...naming(close)}>
          <CloseIcon />
        </button>
      )}
    </header>
  )
}

/** A picture that does not come leaves no frame behind. */
function hide({ currentTarget }: SyntheticEvent<HTMLImageElement>) {
  currentTarget.hidden = true
}

function naming({ label, run }: HeaderButton) {
  return { 'aria-label': label, title: label, onClick: run }
}
