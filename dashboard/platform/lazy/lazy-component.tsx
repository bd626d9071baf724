import { t } from 'i18next'
import { type ComponentType, type LazyExoticComponent, lazy, useEffect } from 'react'
import { notify } from '../../ui/notices.ts'
import { logError } from '../http/errors.ts'

/**
 * A component whose code is loaded when it is first rendered. If that fails, as after a server update or without a
 * network, a notice is shown; the page around it stays, with whatever is being typed there.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: await load() }
    } catch (error) {
      logError('Part of the page not loaded', error)
      return { default: (props: Props) => <Missing {...(props as MissingProps)} /> }
    }
  })
}

/** The props that dialogs have in common. */
interface MissingProps {
  open?: boolean
  close?: () => void
}

/**
 * Notifies each time it is opened, because the last notice may have been dismissed. Without a network, loading the page
 * again would lose what can still be read: a dialog says why it does not open, and other parts wait for the network.
 */
function Missing({ open, close }: MissingProps) {
  useEffect(() => {
    if (open === false) return
    close?.()
    if (navigator.onLine) return offerReload()
    if (open) notify({ kind: 'error', key: 'part', title: t('failure.part'), text: t('connection.lost') })
    window.addEventListener('online', offerReload)
    return () => window.removeEventListener('online', offerReload)
  }, [open, close])
  return null
}

function offerReload() {
  notify({
    kind: 'error',
    key: 'part',
    title: t('failure.part'),
    text: t('failure.broken_text'),
    action: { label: t('failure.reload'), run: () => location.reload() },
    seconds: Number.POSITIVE_INFINITY,
  })
}
