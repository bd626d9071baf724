import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { useDebounced } from '../../../../platform/forms/useDebounced.ts'
import { logError } from '../../../../platform/http/errors.ts'
import { withTexts } from '../../../../platform/texts.ts'
import { useTeam } from '../../../accounts/accounts/account.ts'
import { savedRepliesQuery, searchReplies } from '../../saved-replies/queries.ts'
import { valuesFor } from '../../saved-replies/values.ts'
import { fillVariables } from '../../saved-replies/variables.ts'
import type { Emoji } from './emoji.ts'
import { mentionable } from './mentions.ts'
import type { Trigger } from './triggers.ts'

/** One suggestion. */
export interface Option {
  key: string
  /** Shown before the name: the emoji itself. */
  icon?: string
  name: string
  hint?: string
  insert: string
  /** The user that it mentions. */
  user_id?: number
  /** There are no saved replies yet; this option creates the first one. */
  isFirst?: true
  /** Only shows that nothing was found. */
  isNothing?: true
}

const MAX_OPTIONS = 30

/** The suggestions for a trigger. */
export function useMenuOptions(trigger: Trigger | undefined, conversation: Conversation): Option[] {
  const { t } = useTranslation()
  const client = useQueryClient()
  const team = useTeam()
  const { me, account } = team
  const isReply = trigger?.character === '/' || trigger?.character === '#'
  const replies = useQuery({ ...savedRepliesQuery, enabled: isReply })
  const articles = useArticles(isReply ? trigger.query : '')
  const findEmoji = useEmoji(trigger?.character === ':')
  if (!trigger) return []
  const { character, query } = trigger
  if (character === '@') {
    const matches = mentionable(account.users, me.id, query)
    // One or two words after the trigger may be a name; a longer text is not.
    if (matches.length === 0 && query !== '' && !query.includes(' ')) {
      return [{ key: 'nobody', name: t('composer.no_teammate'), insert: '', isNothing: true }]
    }
    return matches.map((user) => {
      const name = userName(user)
      return { key: `${user.id}`, name, hint: user.email, insert: `@${name} `, user_id: user.id }
    })
  }
  if (character === ':') {
    return findEmoji(query)
      .slice(0, 8)
      .map(({ character: emoji, name }) => ({ key: name, icon: emoji, name: `:${name}:`, insert: `${emoji} ` }))
  }
  if (replies.data?.length === 0 && query === '') {
    const hint = t('composer.first_reply')
    return [{ key: 'first', name: t('composer.no_replies'), hint, insert: '', isFirst: true }]
  }
  const values = valuesFor(client, team, conversation)
  const replyOptions = searchReplies(replies.data ?? [], query)
    .slice(0, MAX_OPTIONS)
    .map(({ id, name, content }) => {
      const filled = fillVariables(content, values)
      return { key: id, name: `${character}${name}`, hint: filled, insert: filled }
    })
  return [...replyOptions, ...articles]
}

const NO_ARTICLES: Option[] = []
/** Shorter texts fit too many articles. */
const MIN_ARTICLE_QUERY = 3
const MAX_ARTICLES = 5

/** Published articles that fit a text, which insert their link. The call is loaded when it is first needed. */
function useArticles(query: string): Option[] {
  const q = useDebounced(query)
  const { data = NO_ARTICLES } = useQuery({
    queryKey: ['article-options', q],
    queryFn: async () => {
      const { findArticles } = await import('../../../help/insert/find-articles.ts')
      return (await findArticles(q, MAX_ARTICLES)).map(({ id, title, url }) => {
        return { key: `article ${id}`, icon: '📖', name: title, hint: url, insert: url }
      })
    },
    enabled: q.length >= MIN_ARTICLE_QUERY,
    staleTime: 60_000,
  })
  return query.length >= MIN_ARTICLE_QUERY ? data : NO_ARTICLES
}

const none = (): Emoji[] => []
const loadEmoji = withTexts(['emoji'], () => import('./emoji.ts'))

/** Finds emoji. The list is loaded when it is first needed. */
function useEmoji(enabled: boolean): (text: string) => Emoji[] {
  const [find, setFind] = useState<(text: string) => Emoji[]>(() => none)
  useEffect(() => {
    if (!enabled || find !== none) return
    loadEmoji()
      .then(({ findEmoji }) => setFind(() => findEmoji))
      .catch((error) => logError('No emoji', error))
  }, [enabled, find])
  return find
}
