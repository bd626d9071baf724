import type { Action, Context } from './action.ts'
import type { InboxOnScreen } from './inbox-on-screen.ts'
import { openInsertArticle } from './insert-article.ts'
import { openSendLater } from './send-later.ts'
import { askForWriting, canWriteWithModel } from './writing-help.ts'

const hasTarget = (test: (target: InboxOnScreen['targets'][number]) => boolean) => (context: Context) =>
  !!context.inbox?.targets.some(test)
const any = hasTarget(() => true)
const isOpen = hasTarget(({ status }) => status === 'open')
const writing = ({ inbox }: Context) => inbox?.current?.status === 'open'

/** Actions on the open conversation, or on the selected ones. */
export const CONVERSATION_ACTIONS: readonly Action[] = [
  {
    id: 'close',
    section: 'conversation',
    icon: 'check',
    keys: ['mod+d', 'e'],
    when: isOpen,
    run: ({ inbox }) => inbox?.close(),
  },
  {
    id: 'reopen',
    section: 'conversation',
    icon: 'reopen',
    keys: ['mod+o'],
    when: hasTarget(({ status }) => status === 'closed'),
    run: ({ inbox }) => inbox?.reopen(),
  },
  {
    id: 'prioritize',
    section: 'conversation',
    icon: 'star',
    keys: ['mod+p'],
    when: hasTarget(({ priority }) => priority !== 'priority'),
    run: ({ inbox }) => inbox?.setPriority('priority'),
  },
  {
    id: 'unprioritize',
    section: 'conversation',
    icon: 'star',
    keys: ['mod+u'],
    when: hasTarget(({ priority }) => priority === 'priority'),
    run: ({ inbox }) => inbox?.setPriority('not_priority'),
  },
  {
    id: 'reply',
    section: 'conversation',
    icon: 'reply',
    keys: ['r'],
    when: writing,
    run: ({ inbox }) => inbox?.write('reply'),
  },
  {
    id: 'note',
    section: 'conversation',
    icon: 'note',
    keys: ['n'],
    when: writing,
    run: ({ inbox }) => inbox?.write('note'),
  },
  {
    id: 'assign',
    section: 'conversation',
    icon: 'person',
    keys: ['a'],
    when: any,
    run: ({ open }) => open('assign'),
  },
  {
    id: 'tag',
    section: 'conversation',
    icon: 'flag',
    keys: ['t'],
    when: any,
    run: ({ open }) => open('tag'),
  },
  {
    id: 'snooze',
    section: 'conversation',
    icon: 'clock',
    keys: ['s'],
    when: isOpen,
    run: ({ open }) => open('snooze'),
  },
  {
    id: 'send_later',
    section: 'conversation',
    icon: 'clock',
    keys: ['mod+j', 'l'],
    when: writing,
    run: ({ inbox }) => inbox?.current && openSendLater(inbox.current.id),
  },
  {
    id: 'wake',
    section: 'conversation',
    icon: 'bell',
    keys: ['w'],
    when: hasTarget(({ snoozed_at }) => snoozed_at !== null),
    run: ({ inbox }) => inbox?.wake(),
  },
  {
    id: 'macro',
    section: 'conversation',
    icon: 'play',
    keys: ['y'],
    when: any,
    run: ({ open }) => open('macro'),
  },
  {
    id: 'insert_article',
    section: 'conversation',
    icon: 'book',
    keys: ['mod+i', 'i'],
    when: writing,
    run: ({ inbox }) => inbox?.current && openInsertArticle(inbox.current.id),
  },
  {
    id: 'make_article',
    section: 'conversation',
    icon: 'book',
    keys: ['shift+m'],
    when: ({ inbox }) => !!inbox?.current,
    run: ({ inbox, makeArticle }) => inbox?.current && makeArticle(inbox.current.id),
  },
  {
    id: 'write_draft',
    section: 'conversation',
    icon: 'wand',
    keys: ['mod+e', 'd'],
    when: (context) => writing(context) && canWriteWithModel(),
    run: ({ inbox }) => inbox?.current && askForWriting(inbox.current.id, 'draft'),
  },
  {
    id: 'summarize',
    section: 'conversation',
    icon: 'wand',
    keys: ['shift+s'],
    when: (context) => writing(context) && canWriteWithModel(),
    run: ({ inbox }) => inbox?.current && askForWriting(inbox.current.id, 'summarize'),
  },
  {
    id: 'unread',
    section: 'conversation',
    icon: 'unread',
    keys: ['m'],
    when: hasTarget(({ read }) => read),
    run: ({ inbox }) => inbox?.markUnread(),
  },
  {
    id: 'delete',
    section: 'conversation',
    icon: 'trash',
    keys: ['#'],
    when: any,
    run: ({ inbox, confirmDelete }) => {
      // Captured now, because the list may have changed when the dialog is confirmed.
      const targets = inbox?.targets ?? []
      confirmDelete(targets.length, () => inbox?.archive(targets))
    },
  },
]
