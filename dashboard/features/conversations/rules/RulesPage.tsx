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
  const client = useQueryClient()
  const choices = useChoices()
  if (!rules.data) return <QueryView query={rules} failed={t('rules.failed')} />
  if (rules.data.length === 0) return <EmptyState drawing="rest" title={t('rules.none')} text={t('rules.none_text')} />
  const count = rules.data.length
  return (
    <ol className={styles.list} aria-label={t('rules.title')}>
      <Each name="rule" items={rules.data} keyOf={(rule) => rule.id}>
        {(rule, at) => (
          <RuleLine
            rule={rule}
            choices={choices}
            isFirst={at === 0}
            isLast={at === count - 1}
            move={(step) => moveRule(client, rule, at + step).catch((error) => showError(t('rules.not_moved'), error))}
          />
        )}
      </Each>
    </ol>
  )
}
