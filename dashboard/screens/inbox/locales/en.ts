import { en as actions } from '../../../features/actions/locales/en.ts'
import { en as conversations } from '../../../features/conversations/locales/en.ts'
import { en as customerNotes } from '../../../features/customer-notes/locales/en.ts'
import { en as customers } from '../../../features/customers/locales/en.ts'
import { en as directoryLinks } from '../../../features/directory-links/locales/en.ts'
import { en as issues } from '../../../features/issues/locales/en.ts'
import { en as messages } from '../../../features/messages/locales/en.ts'
import { en as notifications } from '../../../features/notifications/locales/en.ts'
import { en as planNotices } from '../../../features/plan-notices/locales/en.ts'
import { en as ratings } from '../../../features/ratings/locales/en.ts'
import { en as savedReplies } from '../../../features/saved-replies/locales/en.ts'
import { en as search } from '../../../features/search/locales/en.ts'
import { en as tags } from '../../../features/tags/locales/en.ts'

export const en = {
  ...actions,
  ...conversations,
  ...customerNotes,
  ...customers,
  ...directoryLinks,
  ...issues,
  ...messages,
  ...notifications,
  ...planNotices,
  ...ratings,
  ...savedReplies,
  ...search,
  ...tags,
}
