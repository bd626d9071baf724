import { t } from 'i18next'
import { type ComponentType, type LazyExoticComponent, lazy, useEffect } from 'react'
import { notify } from '../../ui/notices.ts'
import { logError } from '../http/errors.ts'

/**
 * A part of a page whose code is loaded when it is first wanted. Where that fails, as after an update of the server or
 * without a network, a notice says so; the page around it stays, with whatever is being written there.
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

/** What most windows are told. */
interface MissingProps {
  open?: boolean
  close?: () => void
}

/** Tells each time it is wanted, because the notice may have been put away. */
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
