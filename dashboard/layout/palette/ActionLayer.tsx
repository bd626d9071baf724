import { Suspense } from 'react'
import { useNavigate } from 'react-router'
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
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx'
import { readAction } from '../../ui/notices.ts'
import type { PaletteScreen } from './palette-entries.ts'

const Palette = lazyComponent(async () => (await import('./Palette.tsx')).Palette)
const ShortcutsDialog = lazyComponent(async () => (await import('./ShortcutsDialog.tsx')).ShortcutsDialog)
const DeleteQuestion = lazyComponent(async () => (await import('./DeleteQuestion.tsx')).DeleteQuestion)
const SnoozeTimeDialog = lazyComponent(async () => (await import('./SnoozeTimeDialog.tsx')).SnoozeTimeDialog)

/** Handles the keyboard shortcuts of all actions, and shows the dialogs that they open. */
export function ActionLayer({ listPlaces }: { listPlaces: () => PaletteScreen[] }) {
  const navigate = useNavigate()
  const opened = useOverlay()
  const context = (): Context => ({
    inbox: readInbox(),
    undo: readAction(keysOf('undo')),
    go: (path) => void navigate(path),
    open: openPalette,
    help: openHelp,
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
      {opened?.window === 'snooze-time' && <SnoozeTimeDialog snooze={opened.snooze} close={closeOverlay} />}
    </Suspense>
  )
}
