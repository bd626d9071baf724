import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import type common from '../../locales/en/dashboard/common.json'
import type { IconName } from '../ui/icon-paths.ts'
import { lazyPage } from './lazy/lazy-page.tsx'
import type { TextName } from './text-files.ts'
import { withTexts } from './texts.ts'

/**
 * The title of a page in navigation and palette: a key of `titles`. It is loaded with the frame, because it is shown
 * before the page's texts are loaded.
 */
export type Title = keyof typeof common.titles

/** Groups of the main navigation, defined in `layout/navigation.ts`. */
export type GroupName = 'customers' | 'help' | 'developers' | 'sessions' | 'settings'

export interface NavigationEntry {
  /** Without a group the entry is at the top level, with an icon. */
  group?: GroupName
  icon?: IconName
  /** The target, if it is not the page's own path. */
  path?: string
  /** The title, if it is not the page's own. */
  title?: Title
  /** Who sees the entry; everybody by default. The address works for others, too. */
  role?: 'admin'
  /** The account setting that also shows it to members. */
  unless?: 'members_watch_sessions'
}

interface PageOptions {
  /** One or several route patterns. Pages that are not `alone` are rendered inside the signed-in frame. */
  path: string | readonly string[]
  title?: Title
  nav?: NavigationEntry
  /** Rendered without the frame, and reachable without signing in. */
  alone?: true
  /** Only available if the installation has this enabled. */
  needs?: 'billing' | 'storytime'
  /** The texts of the page and its lazily loaded parts. The frame's texts are always loaded. */
  texts?: readonly TextName[]
  load: () => Promise<ComponentType>
}

export interface Page extends Omit<PageOptions, 'path' | 'load' | 'texts'> {
  paths: readonly string[]
  Component: ReturnType<typeof lazyPage<object>>
}

/**
 * Declares a page, from which routes, navigation and command palette are generated. Its code is loaded when it is first
 * shown.
 */
export function definePage({ path, load, texts = [], ...rest }: PageOptions): Page {
  return { ...rest, paths: typeof path === 'string' ? [path] : path, Component: lazyPage(withTexts(texts, load)) }
}

/** Titles in the current language. */
export function useTitles(): (title: Title) => string {
  const { t } = useTranslation()
  return (title) => t(`titles.${title}`)
}
