import type { IconName } from '../../ui/icon-paths.ts'
import type { InboxOnScreen } from './inbox-on-screen.ts'
import type { en } from './locales/en.ts'
import type { Scope } from './overlays.ts'

/** Every action has a name among the texts. */
export type ActionName = Exclude<keyof typeof en.actions, 'sections'>

/** What an action may look at and use. */
export interface Context {
  /** Only while the inbox is on screen. */
  inbox: InboxOnScreen | undefined
  /** Takes back what was done last; undefined when nothing can be taken back any more. */
  undo: (() => void) | undefined
  go(path: string): void
  open(scope: Scope): void
  help(): void
  /** Asks before conversations are deleted: a key is hit by mistake. */
  askToDelete(count: number, remove: () => void): void
}

export interface Action {
  id: ActionName
  section: 'conversation' | 'list' | 'go' | 'general'
  icon: IconName
  /** Such as `mod+d`, `x`, or `g a` for one after the other. The first is the one that tooltips show. */
  keys: readonly string[]
  /** Keys with Cmd or Ctrl work in text fields too, unless the field has a use for them. */
  outsideText?: true
  /** Goes on while the key is held down. All others are done once. */
  repeats?: true
  /** Left out of the palette, where it would make no sense. */
  isKeyOnly?: true
  when(context: Context): boolean
  run(context: Context): void
}
