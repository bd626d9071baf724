import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import { type ViewFieldName, viewField } from '#contract/conversations/view-conditions.ts'
import type { Option } from '../../../ui/ChoiceList.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { teamsQuery } from '../../accounts/teams/queries.ts'
import { tagsQuery } from '../../customers/tags/queries.ts'
import { inboxesQuery } from '../../widget/inboxes/queries.ts'

/** The choices of a field; undefined for fields that are compared with something typed. */
export type ViewChoices = (field: ViewFieldName) => Option[] | undefined

/** The account’s people, teams, tags and inboxes, and the names of fixed choices. */
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
  return (field) => {
    const { choices, also = [] } = viewField(field)
    if (choices === undefined) return undefined
    const fixed = typeof choices === 'string' ? also : choices
    const labelled = fixed.map((value) => ({
      value,
      label: t(`saved_views.values.${value}` as 'saved_views.values.me'),
    }))
    if (typeof choices !== 'string') return labelled
    return [...labelled, ...named[choices].map(({ id, name }) => ({ value: id, label: name }))]
  }
}
