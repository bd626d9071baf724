import { beforeEach, expect, test, vi } from 'vitest'
import type { VisitorMessage } from '#contract/conversations/messages.ts'
import { FIRST_STATE } from '../state.ts'
import { createStore } from '../store.ts'
import { EMPTY_THREAD } from '../thread/thread.ts'
import { createParentCommands } from './parent-commands.ts'

const store = createStore(FIRST_STATE)
const send = vi.fn()
const handleCommand = createParentCommands({ store, parent: { send } } as unknown as Parameters<
  typeof createParentCommands
>[0])
const popUp = { shouldDisplayNotifications: true, popUpInitialMessage: true }

beforeEach(() => {
  store.update(FIRST_STATE)
  send.mockClear()
})

test('a page that displays unseen messages gets a card, also for messages of a bot', () => {
  const bot = { id: 'a', type: 'bot', user_id: 1, customer_id: null, seen_at: null } as VisitorMessage
  store.update({ thread: { ...EMPTY_THREAD, messages: [bot] } })
  handleCommand('notifications:display', { shouldDisplayNotifications: true })
  expect(store.get().card).toBe('unseen')
  handleCommand('notifications:display', { shouldDisplayNotifications: false })
  expect(store.get().card).toBe(null)
})

test('a page that pops up the greeting gets it, or the away message, or that there is none', () => {
  store.update({ appearance: { greeting: 'Hello!' } })
  handleCommand('notifications:display', popUp)
  expect(store.get().card).toBe('greeting')
  store.update({ card: null, appearance: { awayMessage: 'We sleep.', isOutsideWorkingHours: true } })
  handleCommand('notifications:display', popUp)
  expect(store.get().card).toBe('greeting')
  store.update({ card: null, appearance: {} })
  handleCommand('notifications:display', popUp)
  expect(store.get().card).toBe(null)
  expect(send).toHaveBeenCalledExactlyOnceWith('messages:seen', {})
})
