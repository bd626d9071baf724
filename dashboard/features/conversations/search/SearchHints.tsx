import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import { Each } from '../../../ui/Each.tsx'
import { Undrawn } from '../../../ui/PartBoundary.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { tagsQuery } from '../../customers/tags/queries.ts'
import { inboxesQuery } from '../../widget/inboxes/queries.ts'
import { choicesFor, complete, OPERATORS, type Open, openOperator } from './completion.ts'
import styles from './SearchHints.module.css'

/** Suggestions for the search box: the operators while it is empty, and matching values for an operator. */
export function SearchHints({ text, write }: { text: string; write: (text: string) => void }) {
  const open = openOperator(text)
  if (open) return <Names text={text} open={open} write={write} />
  return text.trim() === '' ? <Operators write={write} /> : null
}

function Operators({ write }: { write: (text: string) => void }) {
  const { t } = useTranslation()
  return (
    <div className={styles.hints}>
      <p className={styles.head}>{t('search.hints')}</p>
      {OPERATORS.map(([operator, example]) => (
        <Hint key={operator} choose={() => write(operator)}>
          <span className={styles.operator}>
            {operator}
            {example && <span className={styles.example}>{example}</span>}
          </span>
          <span className={styles.meaning}>{t(`search.operators.${nameOf(operator)}`)}</span>
        </Hint>
      ))}
    </div>
  )
}

type OperatorName = 'from' | 'tag' | 'inbox' | 'assignee' | 'status' | 'before' | 'after' | 'has'

function nameOf(operator: (typeof OPERATORS)[number][0]): OperatorName {
  return operator.slice(0, operator.indexOf(':')) as OperatorName
}

function Names({ text, open, write }: { text: string; open: Open; write: (text: string) => void }) {
  const names = useNames(open)
  const choices = choicesFor(open, names)
  if (choices.length === 0) return null
  return (
    <div className={styles.hints}>
      <Each name="choice" items={choices} keyOf={(name) => name} fallback={() => <Undrawn />}>
        {(name) => (
          <Hint choose={() => write(complete(text, open, name))}>
            <span className={styles.operator} dir="auto">
              {name}
            </span>
          </Hint>
        )}
      </Each>
    </div>
  )
}

/** The values of an operator. Tags are loaded when first needed. */
function useNames({ operator }: Open): string[] {
  const { account } = useTeam()
  const tags = useQuery({ ...tagsQuery, enabled: operator === 'tag' })
  const inboxes = useQuery({ ...inboxesQuery, enabled: operator === 'inbox' })
  switch (operator) {
    case 'tag':
      return tags.data?.map(({ name }) => name) ?? []
    case 'inbox':
      return inboxes.data?.map(({ name }) => name) ?? []
    case 'status':
      return ['open', 'closed']
    case 'has':
      return ['file']
    case 'from':
      return ['me', ...account.users.map(userName)]
    case 'assignee':
      return ['me', 'nobody', ...account.users.map(userName)]
    default:
      return []
  }
}

/** Keeps the focus in the search box. */
function Hint({ choose, children }: { choose: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      data-hit
      tabIndex={-1}
      className={styles.hint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={choose}
    >
      {children}
    </button>
  )
}
