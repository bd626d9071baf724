import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Rule } from '#contract/conversations/rules.ts'
import { showError } from '../../../platform/http/errors.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { ButtonLink } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page } from '../../../ui/Page.tsx'
import { useDragOrder } from '../../../ui/useDragOrder.ts'
import { AdminsOnly } from '../../accounts/accounts/AdminsOnly.tsx'
import { moveRule, rulesQuery } from './queries.ts'
import { RuleLine } from './RuleLine.tsx'
import styles from './Rules.module.css'
import { useChoices } from './useChoices.ts'

/** What is done without anybody: when this happens, if that holds, then do this. */
export function RulesPage() {
  return (
    <AdminsOnly>
      <Rules />
    </AdminsOnly>
  )
}

function Rules() {
  const { t } = useTranslation()
  return (
    <Page
      title={t('rules.title')}
      text={t('rules.text')}
      actions={
        <ButtonLink to="/settings/rules/new" variant="primary" icon={<Icon name="plus" size={18} />}>
          {t('rules.new')}
        </ButtonLink>
      }
    >
      <RuleList rules={useQuery(rulesQuery)} />
    </Page>
  )
}

function RuleList({ rules }: { rules: UseQueryResult<Rule[]> }) {
  const { t } = useTranslation()
  if (!rules.data) return <QueryView query={rules} failed={t('rules.failed')} />
  if (rules.data.length === 0) return <EmptyState drawing="rest" title={t('rules.none')} text={t('rules.none_text')} />
  return <OrderedRules rules={rules.data} />
}

function OrderedRules({ rules }: { rules: Rule[] }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const choices = useChoices()
  const move = (id: string, to: number) =>
    moveRule(client, id, to).catch((error) => showError(t('rules.not_moved'), error))
  const { list, entry } = useDragOrder<HTMLOListElement>(
    rules.map(({ id }) => id),
    move,
  )
  return (
    <ol ref={list} className={styles.list} aria-label={t('rules.title')}>
      <Each name="rule" items={rules} keyOf={(rule) => rule.id}>
        {(rule, at) => (
          <RuleLine
            rule={rule}
            choices={choices}
            isFirst={at === 0}
            isLast={at === rules.length - 1}
            move={(step) => void move(rule.id, at + step)}
            drag={entry(rule.id, at)}
          />
        )}
      </Each>
    </ol>
  )
}
