import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ANSWER_OUTCOMES, type AnswerOutcome, type FirstAnswer } from '#contract/help/first-answers.ts'
import { formatNumber } from '../../../platform/formats.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { messageTime } from '../../../platform/times.ts'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Pill, type Tone } from '../../../ui/Pill.tsx'
import { Select } from '../../../ui/Select.tsx'
import { Table } from '../../../ui/Table.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import styles from './Answers.module.css'
import { ArticlesUsed } from './ArticlesUsed.tsx'
import { answerFiguresQuery, answersQuery } from './queries.ts'

const FIGURES = ['answered', ...ANSWER_OUTCOMES] as const

const TONES: Record<AnswerOutcome, Tone> = {
  helped: 'success',
  handed_over: 'neutral',
  reopened: 'warning',
  no_reaction: 'note',
}

/** What the assistant answered in the chat, and what became of it. */
export function AnswersPage() {
  const { t } = useTranslation()
  const [outcome, setOutcome] = useState<AnswerOutcome | 'all'>('all')
  return (
    <Page title={t('titles.first_answers')} text={t('first_answers.page_text')}>
      <Figures />
      <div className={styles.filter}>
        <Select
          label={t('first_answers.outcome')}
          options={[
            { value: 'all', label: t('first_answers.all') },
            ...ANSWER_OUTCOMES.map((value) => ({ value, label: t(`first_answers.outcomes.${value}`) })),
          ]}
          value={outcome}
          onChange={setOutcome}
        />
      </div>
      <Answers key={outcome} outcome={outcome === 'all' ? undefined : outcome} />
    </Page>
  )
}

/** How the conversations of the last 30 days ended; nothing while there are none. */
function Figures() {
  const { t } = useTranslation()
  const { data } = useQuery(answerFiguresQuery)
  if (!data || data.answered === 0) return null
  return (
    <dl className={styles.figures} aria-label={t('first_answers.last_days')}>
      {FIGURES.map((name) => (
        <div key={name}>
          <dt>{name === 'answered' ? t('first_answers.answered') : t(`first_answers.outcomes.${name}`)}</dt>
          <dd>{formatNumber(data[name])}</dd>
        </div>
      ))}
    </dl>
  )
}

function Answers({ outcome }: { outcome: AnswerOutcome | undefined }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(answersQuery(outcome))
  if (!query.data) return <QueryView query={query} failed={t('first_answers.failed')} />
  const answers = query.data.pages.flatMap(({ data }) => data)
  if (answers.length === 0)
    return <EmptyState drawing="rest" title={t('first_answers.none')} text={t('first_answers.none_text')} />
  const columns = [
    t('first_answers.question'),
    t('first_answers.articles'),
    t('first_answers.outcome'),
    t('first_answers.time'),
    t('first_answers.conversation'),
  ] as const
  return (
    <>
      <Table label={t('titles.first_answers')} columns={columns}>
        <Each name="answer" items={answers} keyOf={({ id }) => id}>
          {(answer) => <Row answer={answer} />}
        </Each>
      </Table>
      {query.hasNextPage && (
        <div className={styles.more}>
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('first_answers.more')}
          </Button>
        </div>
      )}
    </>
  )
}

function Row({
  answer: { question, articles, outcome, reason, created_at, conversation_id },
}: {
  answer: FirstAnswer
}) {
  const { t } = useTranslation()
  return (
    <tr>
      <td>
        <span dir="auto">
          <Truncate text={question} lines={2} />
        </span>
      </td>
      <td data-label={t('first_answers.articles')}>
        <ArticlesUsed articles={articles} />
      </td>
      <td data-label={t('first_answers.outcome')}>
        <Pill tone={TONES[outcome]}>{t(`first_answers.outcomes.${outcome}`)}</Pill>
        {reason && <span className={styles.quiet}>{t(`first_answers.reasons.${reason}`)}</span>}
      </td>
      <td>{messageTime(created_at)}</td>
      <td>
        <ButtonLink
          size="small"
          to={`/conversations/all/${conversation_id}`}
          aria-label={`${t('first_answers.open_conversation')} ${question.slice(0, 80)}`}
        >
          {t('first_answers.open_conversation')}
        </ButtonLink>
      </td>
    </tr>
  )
}
