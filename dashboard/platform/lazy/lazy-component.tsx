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

/** Notifies each time it is opened, because the last notice may have been dismissed. */
function Missing({ open = true, close }: MissingProps) {
  useEffect(() => {
    if (!open) return
    notify({
      kind: 'error',
      key: 'part',
      title: t('failure.part'),
      text: t('failure.broken_text'),
      action: { label: t('failure.reload'), run: () => location.reload() },
      seconds: Number.POSITIVE_INFINITY,
    })
    close?.()
  }, [open, close])
  return null
}
