import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import { NOBODY, type RuleFieldName, ruleField } from '#contract/conversations/rule-conditions.ts'
import { CONVERSATION_SOURCES } from '#contract/conversations/sources.ts'
import type { Option } from '../../../ui/ChoiceList.tsx'
import { assignable, useTeam } from '../../accounts/accounts/account.ts'
import { tagsQuery } from '../../customers/tags/queries.ts'
import { inboxesQuery } from '../../widget/inboxes/queries.ts'

/** What conditions and actions are chosen from. */
export interface Choices {
  users: Option[]
  tags: Option[]
  /** The choices of a field; undefined for fields that are compared with a text. */
  of(field: RuleFieldName): Option[] | undefined
}

/** The account's people, tags and inboxes, and the names of fixed choices. */
export function useChoices(): Choices {
  const { t } = useTranslation()
  const { account } = useTeam()
  const inboxes = useQuery(inboxesQuery).data ?? []
  const tags = (useQuery(tagsQuery).data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const users = assignable(account.users, null).map((user) => ({ value: String(user.id), label: userName(user) }))
  return {
    users,
    tags,
    of(field) {
      const { choices } = ruleField(field)
      if (choices === undefined) return undefined
      if (choices === 'inboxes') return inboxes.map(({ id, name }) => ({ value: id, label: name }))
      if (choices === 'tags') return tags
      if (choices === 'users') return [{ value: NOBODY, label: t('rules.values.nobody') }, ...users]
      if (choices === CONVERSATION_SOURCES)
        return CONVERSATION_SOURCES.map((value) => ({ value, label: t(`sources.${value}`) }))
      return choices.map((value) => ({ value, label: t(`rules.values.${value}` as 'rules.values.open') }))
    },
  }
}
