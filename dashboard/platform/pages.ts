import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import type { IconName } from '../ui/icon-paths.ts'
import type { Language } from './language.ts'
import { lazyPage } from './lazy/lazy-page.tsx'
import { type Texts, withTexts } from './texts.ts'

/** What navigation and palette call a page. It stands beside the page, because it is shown before the page's own texts are loaded. */
export type Title = Readonly<Record<Language, string>>

/** Groups of the main navigation; `layout/navigation.ts` says how they look. */
export type GroupName = 'customers' | 'developers' | 'sessions' | 'settings'

export interface NavigationEntry {
  /** Without a group an entry stands by itself, with an icon. */
  group?: GroupName
  icon?: IconName
  /** Where it leads, if not to the path of the page. */
  path?: string
  /** What it is called, if not like the page. */
  title?: Title
  /** Whom it is shown to; everybody without it. Whoever knows the address may open the page all the same. */
  role?: 'admin'
  /** The switch of the account that shows it to members, too. */
  unless?: 'members_watch_sessions'
}

interface PageOptions {
  /** A pattern of the router, or several. Pages that are not `alone` lie inside the signed-in frame. */
  path: string | readonly string[]
  title?: Title
  nav?: NavigationEntry
  /** Stands without the frame and is reached without signing in. */
  alone?: true
  /** Only there where the installation has it enabled. */
  needs?: 'billing' | 'storytime'
  /** What is said on it and on the parts of it that come later. Inside the frame, what the frame says is there already. */
  texts?: readonly Texts[]
  load: () => Promise<ComponentType>
}

export interface Page extends Omit<PageOptions, 'path' | 'load' | 'texts'> {
  paths: readonly string[]
  Component: ReturnType<typeof lazyPage<object>>
}

/** Declares a page: routes, navigation and command palette follow from it, and its code is loaded when it is first shown. */
export function definePage({ path, load, texts = [], ...rest }: PageOptions): Page {
  return { ...rest, paths: typeof path === 'string' ? [path] : path, Component: lazyPage(withTexts(texts, load)) }
}

/** Says titles in the language of the screens. */
export function useTitles(): (title: Title) => string {
  const { i18n } = useTranslation()
  return (title) => title[i18n.language === 'vi' ? 'vi' : 'en']
}
