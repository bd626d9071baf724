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
  /** Leaves the list of conversations. */
  back?: HeaderButton
  /** Opens the list of conversations; `count` is the number of unseen messages in the others. */
  list?: HeaderButton & { count: number }
  close?: HeaderButton
}

/** Shows the company in the brand color. */
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

/** Hides an image that failed to load, with its frame. */
function hide({ currentTarget }: SyntheticEvent<HTMLImageElement>) {
  currentTarget.hidden = true
}

function naming({ label, run }: HeaderButton) {
  return { 'aria-label': label, title: label, onClick: run }
}
