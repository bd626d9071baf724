import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import { NOBODY, type RuleFieldName, ruleField } from '#contract/conversations/rule-conditions.ts'
import { CONVERSATION_SOURCES } from '#contract/conversations/sources.ts'
import type { AttributeDefinition } from '#contract/customers/attributes.ts'
import type { Option } from '../../../ui/ChoiceList.tsx'
import { assignable, useTeam } from '../../accounts/accounts/account.ts'
import { teamsQuery } from '../../accounts/teams/queries.ts'
import { findAttribute } from '../../customers/attributes/find-attribute.ts'
import { attributesQuery } from '../../customers/attributes/queries.ts'
import { tagsQuery } from '../../customers/tags/queries.ts'
import { webhooksQuery } from '../../developers/webhooks/queries.ts'
import { inboxesQuery } from '../../widget/inboxes/queries.ts'

/** What conditions and actions are chosen from. */
export interface Choices {
  users: Option[]
  tags: Option[]
  teams: Option[]
  /** Those that can be called; undefined for members, who do not know them. */
  webhooks: Option[] | undefined
  /** The attributes of customers and conversations. */
  attributes: readonly AttributeDefinition[]
  /** The choices of a field, or of the attribute that it names; undefined for those that are compared with a text. */
  of(field: RuleFieldName, key?: string): Option[] | undefined
}

/** The account's people, teams, tags, inboxes, attributes and webhooks, and the names of fixed choices. */
export function useChoices(): Choices {
  const { t } = useTranslation()
  const { account, me } = useTeam()
  const isAdmin = me.role === 'admin'
  const called = useQuery({ ...webhooksQuery, enabled: isAdmin }).data ?? []
  const webhooks = called
    .filter(({ verified }) => verified)
    .map(({ id, webhook_url }) => ({ value: id, label: webhook_url }))
  const inboxes = useQuery(inboxesQuery).data ?? []
  const tags = (useQuery(tagsQuery).data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const users = assignable(account.users, null).map((user) => ({ value: String(user.id), label: userName(user) }))
  const teams = (useQuery(teamsQuery).data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const attributes = useQuery(attributesQuery).data ?? []
  return {
    users,
    tags,
    teams,
    webhooks: isAdmin ? webhooks : undefined,
    attributes,
    of(field, key) {
      const { choices, keyOf } = ruleField(field)
      const attribute = findAttribute(attributes, keyOf, key)
      if (attribute?.kind === 'choice') return attribute.choices.map((value) => ({ value, label: value }))
      if (choices === undefined) return undefined
      if (choices === 'inboxes') return inboxes.map(({ id, name }) => ({ value: id, label: name }))
      if (choices === 'tags') return tags
      if (choices === 'teams') return [{ value: NOBODY, label: t('rules.values.no_team') }, ...teams]
      if (choices === 'users') return [{ value: NOBODY, label: t('rules.values.nobody') }, ...users]
      if (choices === CONVERSATION_SOURCES)
        return CONVERSATION_SOURCES.map((value) => ({ value, label: t(`sources.${value}`) }))
      return choices.map((value) => ({ value, label: t(`rules.values.${value}` as 'rules.values.open') }))
    },
  }
}
