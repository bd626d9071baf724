import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations.ts'
import { userName } from '#contract/users.ts'
import { logError } from '../../../platform/http/errors.ts'
import { useTeam } from '../../accounts/account.ts'
import { customerQuery } from '../../customers/queries.ts'
import { savedRepliesQuery, searchReplies } from '../../saved-replies/queries.ts'
import { fillVariables, type Values } from '../../saved-replies/variables.ts'
import type { Emoji } from './emoji.ts'
import { mentionable } from './mentions.ts'
import type { Trigger } from './triggers.ts'

/** One thing that can be inserted. */
export interface Option {
  key: string
  /** A sign before the name: the emoji itself. */
  sign?: string
  name: string
  hint?: string
  insert: string
  /** Who is mentioned by it. */
  user_id?: number
  /** There is nothing to insert yet; this leads to making the first one. */
  isFirst?: true
  /** It only says that nothing was found. */
  isNothing?: true
}

const MOST = 30

/** What a menu offers for what is being typed. */
export function useMenuOptions(trigger: Trigger | undefined, conversation: Conversation): Option[] {
  const { t } = useTranslation()
  const { me, account } = useTeam()
  const isReply = trigger?.sign === '/' || trigger?.sign === '#'
  const replies = useQuery({ ...savedRepliesQuery, enabled: isReply })
  const findEmoji = useEmoji(trigger?.sign === ':')
  const values = useValues(conversation)
  if (!trigger) return []
  const { sign, query } = trigger
  if (sign === '@') {
    const found = mentionable(account.users, me.id, query)
    // A word or two after the sign may be a name; a sentence is none.
    if (found.length === 0 && query !== '' && !query.includes(' ')) {
      return [{ key: 'nobody', name: t('composer.no_teammate'), insert: '', isNothing: true }]
    }
    return found.map((user) => {
      const name = userName(user)
      return { key: `${user.id}`, name, hint: user.email, insert: `@${name} `, user_id: user.id }
    })
  }
  if (sign === ':') {
    return findEmoji(query)
      .slice(0, 8)
      .map(({ sign, name }) => ({ key: name, sign, name: `:${name}:`, insert: `${sign} ` }))
  }
  if (replies.data?.length === 0 && query === '') {
    const hint = t('composer.first_reply')
    return [{ key: 'first', name: t('composer.no_replies'), hint, insert: '', isFirst: true }]
  }
  return searchReplies(replies.data ?? [], query)
    .slice(0, MOST)
    .map(({ id, name, content }) => {
      const filled = fillVariables(content, values)
      return { key: id, name: `${sign}${name}`, hint: filled, insert: filled }
    })
}

/** What variables in saved replies stand for here. The company is told only where the customer was loaded with it. */
function useValues({ customer }: Conversation): Values {
  const client = useQueryClient()
  const { me, account } = useTeam()
  const known = client.getQueryData(customerQuery(customer.id).queryKey)
  return {
    'customer.name': customer.name,
    'customer.email': customer.email,
    'customer.company': known?.company?.name,
    'agent.name': userName(account.users.find(({ id }) => id === me.id)),
    'account.name': account.company_name,
  }
}

const none = (): Emoji[] => []

/** Finds emoji, once their list is there. It is fetched when the first one is looked for. */
function useEmoji(wanted: boolean): (text: string) => Emoji[] {
  const [find, setFind] = useState<(text: string) => Emoji[]>(() => none)
  useEffect(() => {
    if (!wanted || find !== none) return
    import('./emoji.ts').then(({ findEmoji }) => setFind(() => findEmoji)).catch((error) => logError('No emoji', error))
  }, [wanted, find])
  return find
}
