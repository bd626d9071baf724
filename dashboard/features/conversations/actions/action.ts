import type english from '../../../../locales/en/dashboard/actions.json'
import type { IconName } from '../../../ui/icon-paths.ts'
import type { InboxOnScreen } from './inbox-on-screen.ts'
import type { Scope } from './overlays.ts'

/** Every action has a name in the locale files. */
export type ActionName = Exclude<keyof typeof english.actions, 'sections'>

/** What an action can read and use. */
export interface Context {
  /** Undefined while the inbox is not on screen. */
  inbox: InboxOnScreen | undefined
  /** Undoes the last change; undefined when there is nothing to undo. */
  undo: (() => void) | undefined
  go(path: string): void
  open(scope: Scope): void
  help(): void
  /** Goes away, or comes back. */
  toggleAway(): void
  /** Makes a draft of an article of a conversation, and opens it. */
  makeArticle(conversation_id: string): void
  /** Asks for confirmation, because the delete key is easily hit by mistake. */
  confirmDelete(count: number, remove: () => void): void
}

export interface Action {
  id: ActionName
  section: 'conversation' | 'list' | 'go' | 'general'
  icon: IconName
  /** Such as `mod+d`, `x`, or `g a` for one after the other. Tooltips show the first. */
  keys: readonly string[]
  /** Keys with Cmd or Ctrl also work in text fields, unless this is set because the field uses the key itself. */
  outsideText?: true
  /** Repeats while the key is held down. */
  repeats?: true
  /** Not listed in the command palette, where it would make no sense. */
  isKeyOnly?: true
  when(context: Context): boolean
  run(context: Context): void
}
