import { useEffect, useRef } from 'react'
import type { Conversation, ConversationRow } from '#contract/conversations.ts'
import { type Shortcut, shortcutFor } from './shortcuts.ts'

interface Targets {
  conversations: Conversation[]
  select: (id: string) => void
  close: (id: string) => void
  setPriority: (id: string, priority: ConversationRow['priority']) => void
  reopen: (conversation: Conversation) => void
}

/** The keys of the inbox, with Ctrl or Cmd. They work from anywhere on the page, the composer included. */
export function useShortcuts(targets: Targets) {
  const latest = useRef(targets)
  latest.current = targets
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const shortcut = shortcutFor(event)
      if (!shortcut || document.querySelector('[role="dialog"][aria-modal="true"]')) return
      event.preventDefault()
      run(shortcut, latest.current)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

function run(shortcut: Shortcut, { conversations, select, close, setPriority, reopen }: Targets) {
  // The address is ahead of the screen while a conversation is being drawn, and so are quick fingers.
  const at = conversations.findIndex(({ id }) => window.location.pathname.endsWith(`/${id}`))
  const selected = conversations[at]
  // With nothing selected the walk begins at the top.
  const neighbour = conversations[shortcut === 'next' ? at + 1 : at - 1]
  if ((shortcut === 'next' || shortcut === 'previous') && neighbour) select(neighbour.id)
  if (!selected) return
  if (shortcut === 'close' && selected.status === 'open') close(selected.id)
  if (shortcut === 'prioritize') setPriority(selected.id, 'priority')
  if (shortcut === 'unprioritize') setPriority(selected.id, 'not_priority')
  if (shortcut === 'reopen') reopen(selected)
}
