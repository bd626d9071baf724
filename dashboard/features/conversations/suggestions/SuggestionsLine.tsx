import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Conversation } from '#contract/conversations/conversations.ts'
import type { SolvedConversation } from '#contract/conversations/suggestions.ts'
import { Each } from '../../../ui/Each.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Undrawn } from '../../../ui/PartBoundary.tsx'
import { Tooltip } from '../../../ui/Tooltip.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { valuesFor } from '../saved-replies/values.ts'
import { fillVariables } from '../saved-replies/variables.ts'
import { Marked } from '../search/Marked.tsx'
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
 * Above an empty composer: saved replies, articles and answers of solved conversations that may answer what the customer
 * asked. One press inserts a text or a link; nothing is sent.
 */
export function SuggestionsLine({ conversation, insert }: LineProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const team = useTeam()
  const { data } = useQuery(suggestionsQuery(conversation))
  if (!data) return null
  const values = valuesFor(client, team, conversation)
  const replies = data.saved_replies.map(({ id, name, content, excerpt }): Suggestion => {
    return { id, kind: 'reply', name, part: excerpt.text, text: fillVariables(content, values) }
  })
  const articles = data.articles.map(({ id, title, excerpt, url }): Suggestion => {
    return { id, kind: 'article', name: title, part: excerpt.text, text: url }
  })
  const offered = [...replies, ...articles]
  return (
    <>
      {data.solved.length > 0 && <SolvedLine solved={data.solved} insert={insert} />}
      {offered.length > 0 && (
        <ul className={styles.line} aria-label={t('composer.suggestions')}>
          <Each name="suggestion" items={offered} keyOf={({ id }) => id} fallback={() => <Undrawn />}>
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
      )}
    </>
  )
}

interface SolvedProps {
  solved: SolvedConversation[]
  insert: (text: string) => void
}

/** What the team answered to others who asked something similar: their question, and the answer to insert. */
function SolvedLine({ solved, insert }: SolvedProps) {
  const { t } = useTranslation()
  return (
    <ul className={styles.line} aria-label={t('composer.solved')}>
      <Each
        name="solved conversation"
        items={solved}
        keyOf={({ conversation_id }) => conversation_id}
        fallback={() => <Undrawn />}
      >
        {({ conversation_id, asked, answer }) => (
          <li className={styles.solved}>
            <Tooltip text={answer}>
              <button type="button" className={styles.answer} onClick={() => insert(answer)}>
                <span className={styles.asked}>
                  <Marked excerpt={asked} />
                </span>
                <span>{answer}</span>
              </button>
            </Tooltip>
            <Tooltip text={t('composer.open_solved')}>
              <Link
                to={`/conversations/all/${conversation_id}`}
                className={styles.open}
                aria-label={`${t('composer.open_solved')}: ${asked.text}`}
              >
                <Icon name="chat" size={16} />
              </Link>
            </Tooltip>
          </li>
        )}
      </Each>
    </ul>
  )
}
