import { Suspense } from 'react'
import { useNavigate } from 'react-router'
import { part } from '../../part.tsx'
import { readAction } from '../../ui/notices.ts'
import type { Context } from './action.ts'
import { readInbox } from './inbox-on-screen.ts'
import { closeOpened, openHelp, openPalette, useOpened } from './opened.ts'
import type { PalettePlace } from './palette-entries.ts'
import { keysOf } from './registry.ts'
import { useKeys } from './useKeys.ts'

const Palette = part(async () => (await import('./Palette.tsx')).Palette)
const ShortcutsDialog = part(async () => (await import('./ShortcutsDialog.tsx')).ShortcutsDialog)
const SnoozeTimeDialog = part(async () => (await import('./SnoozeTimeDialog.tsx')).SnoozeTimeDialog)

/** Hears the keys of all actions, and shows the windows they open. */
export function ActionLayer({ listPlaces }: { listPlaces: () => PalettePlace[] }) {
  const navigate = useNavigate()
  const opened = useOpened()
  const context = (): Context => ({
    inbox: readInbox(),
    undo: readAction(keysOf('undo')),
    go: (path) => void navigate(path),
    open: openPalette,
    help: openHelp,
  })
  useKeys(context)
  return (
    <Suspense fallback={null}>
      {opened?.window === 'palette' && (
        <Palette
          key={opened.scope}
          scope={opened.scope}
          context={context()}
          places={listPlaces()}
          close={closeOpened}
        />
      )}
      {opened?.window === 'help' && <ShortcutsDialog open close={closeOpened} />}
      {opened?.window === 'snooze-time' && <SnoozeTimeDialog snooze={opened.snooze} close={closeOpened} />}
    </Suspense>
  )
}
