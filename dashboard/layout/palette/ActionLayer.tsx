import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useNavigate } from 'react-router'
import { useTeam } from '../../features/accounts/accounts/account.ts'
import type { Context } from '../../features/conversations/actions/action.ts'
import { readInbox } from '../../features/conversations/actions/inbox-on-screen.ts'
import {
  closeOverlay,
  openDeleteQuestion,
  openHelp,
  openPalette,
  useOverlay,
} from '../../features/conversations/actions/overlays.ts'
import { keysOf } from '../../features/conversations/actions/registry.ts'
import { useKeys } from '../../features/conversations/actions/useKeys.ts'
import { showError } from '../../platform/http/errors.ts'
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx'
import { readAction } from '../../ui/notices.ts'
import type { PaletteScreen } from './palette-entries.ts'

/** Loaded when it is needed, which is seldom. */
async function toggleAway(client: QueryClient, user_id: number): Promise<void> {
  try {
    const away = await import('../../features/conversations/assignments/away.ts')
    await away.toggleAway(client, user_id)
  } catch (error) {
    showError('Availability not changed', error)
  }
}

/** Returns the id of the draft that was made; nothing if that failed. */
async function makeArticle(client: QueryClient, conversation_id: string): Promise<string | undefined> {
  try {
    const help = await import('../../features/help/articles/queries.ts')
    return (await help.makeArticle(client, conversation_id)).id
  } catch (error) {
    showError('Article not made', error)
    return undefined
  }
}

const Palette = lazyComponent(async () => (await import('./Palette.tsx')).Palette)
const ShortcutsDialog = lazyComponent(async () => (await import('./ShortcutsDialog.tsx')).ShortcutsDialog)
const DeleteQuestion = lazyComponent(async () => (await import('./DeleteQuestion.tsx')).DeleteQuestion)
const GiveBackQuestion = lazyComponent(
  async () => (await import('../../features/conversations/assignments/GiveBackQuestion.tsx')).GiveBackQuestion,
)
const SnoozeTimeDialog = lazyComponent(async () => (await import('./SnoozeTimeDialog.tsx')).SnoozeTimeDialog)

/** Handles the keyboard shortcuts of all actions, and shows the dialogs that they open. */
export function ActionLayer({ listPlaces }: { listPlaces: () => PaletteScreen[] }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const { me } = useTeam()
  const opened = useOverlay()
  const context = (): Context => ({
    inbox: readInbox(),
    undo: readAction(keysOf('undo')),
    go: (path) => void navigate(path),
    open: openPalette,
    help: openHelp,
    toggleAway: () => void toggleAway(client, me.id),
    makeArticle: (id) =>
      void makeArticle(client, id).then((article_id) => article_id && navigate(`/help-center/articles/${article_id}`)),
    confirmDelete: openDeleteQuestion,
  })
  useKeys(context)
  return (
    <Suspense fallback={null}>
      {opened?.window === 'palette' && (
        <Palette
          key={opened.scope}
          scope={opened.scope}
          context={context()}
          pages={listPlaces()}
          close={closeOverlay}
        />
      )}
      {opened?.window === 'help' && <ShortcutsDialog open close={closeOverlay} />}
      {opened?.window === 'delete' && <DeleteQuestion {...opened} close={closeOverlay} />}
      {opened?.window === 'give-back' && <GiveBackQuestion count={opened.count} close={closeOverlay} />}
      {opened?.window === 'snooze-time' && <SnoozeTimeDialog snooze={opened.snooze} close={closeOverlay} />}
    </Suspense>
  )
}
