import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { Each } from '../../../ui/Each.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Undrawn } from '../../../ui/PartBoundary.tsx'
import { Tooltip } from '../../../ui/Tooltip.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { valuesFor } from '../saved-replies/values.ts'
import { fillVariables } from '../saved-replies/variables.ts'
import { suggestionsQuery } from './queries.ts'
import styles from './SuggestionsLine.module.css'

interface LineProps {
  conversation: Conversation
  /** Inserts a text at the caret. */
  insert: (text: string) => void
}

interface Suggestion {
  id: string
  kind: 'reply' | 'article'
  name: string
  /** The part that fits, shown before it is inserted. */
  part: string
  text: string
}

/**
 * Above an empty composer: saved replies and articles that may answer what the customer asked. One press inserts a text
 * or a link; nothing is sent.
 */
export function SuggestionsLine({ conversation, insert }: LineProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const team = useTeam()
  const { data } = useQuery(suggestionsQuery(conversation))
  if (!data || data.saved_replies.length + data.articles.length === 0) return null
  const values = valuesFor(client, team, conversation)
  const replies = data.saved_replies.map(({ id, name, content, excerpt }): Suggestion => {
    return { id, kind: 'reply', name, part: excerpt.text, text: fillVariables(content, values) }
  })
  const articles = data.articles.map(({ id, title, excerpt, url }): Suggestion => {
    return { id, kind: 'article', name: title, part: excerpt.text, text: url }
  })
  return (
    <ul className={styles.line} aria-label={t('composer.suggestions')}>
      <Each name="suggestion" items={[...replies, ...articles]} keyOf={({ id }) => id} fallback={() => <Undrawn />}>
        {({ kind, name, part, text }) => (
          <li>
            <Tooltip text={part}>
              <button type="button" className={styles.suggestion} onClick={() => insert(text)}>
                <Icon name={kind === 'article' ? 'book' : 'reply'} size={14} />
                <span>{name}</span>
              </button>
            </Tooltip>
          </li>
        )}
      </Each>
    </ul>
  )
}
