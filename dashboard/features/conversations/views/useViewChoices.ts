import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import { CONVERSATION_SOURCES } from '#contract/conversations/sources.ts'
import { type ViewFieldName, viewField } from '#contract/conversations/view-conditions.ts'
import type { AttributeDefinition } from '#contract/customers/attributes.ts'
import type { Option } from '../../../ui/ChoiceList.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { teamsQuery } from '../../accounts/teams/queries.ts'
import { findAttribute } from '../../customers/attributes/find-attribute.ts'
import { attributesQuery } from '../../customers/attributes/queries.ts'
import { tagsQuery } from '../../customers/tags/queries.ts'
import { inboxesQuery } from '../../widget/inboxes/queries.ts'

/** What conditions are chosen from. */
export interface ViewChoices {
  /** The attributes of customers and conversations. */
  attributes: readonly AttributeDefinition[]
  /** The choices of a field, or of the attribute that it names; undefined for what is compared with something typed. */
  of(field: ViewFieldName, key?: string): Option[] | undefined
}

/** The account’s people, teams, tags, inboxes and attributes, and the names of fixed choices. */
export function useViewChoices(): ViewChoices {
  const { t } = useTranslation()
  const { account } = useTeam()
  const named = {
    inboxes: useQuery(inboxesQuery).data ?? [],
    tags: useQuery(tagsQuery).data ?? [],
    teams: useQuery(teamsQuery).data ?? [],
    // Conversations may still be assigned to disabled people.
    users: account.users.map((user) => ({ id: String(user.id), name: userName(user) })),
  }
  const attributes = useQuery(attributesQuery).data ?? []
  const of: ViewChoices['of'] = (field, key) => {
    const { choices, also = [], keyOf } = viewField(field)
    const attribute = findAttribute(attributes, keyOf, key)
    if (attribute?.kind === 'choice') return attribute.choices.map((value) => ({ value, label: value }))
    if (choices === undefined) return undefined
    if (choices === CONVERSATION_SOURCES)
      return CONVERSATION_SOURCES.map((value) => ({ value, label: t(`sources.${value}`) }))
    const fixed = typeof choices === 'string' ? also : choices
    const labelled = fixed.map((value) => ({
      value,
      label: t(`saved_views.values.${value}` as 'saved_views.values.me'),
    }))
    if (typeof choices !== 'string') return labelled
    return [...labelled, ...named[choices].map(({ id, name }) => ({ value: id, label: name }))]
  }
  return { attributes, of }
}
