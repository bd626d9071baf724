import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { QueryView } from '../../../platform/QueryView.tsx'
import { BackLink } from '../../../ui/BackLink.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page } from '../../../ui/Page.tsx'
import { AdminsOnly } from '../../accounts/accounts/AdminsOnly.tsx'
import { rulesQuery } from './queries.ts'
import { RuleForm } from './RuleForm.tsx'

/** A new rule, or the one of the address. */
export function RulePage() {
  const { t } = useTranslation()
  const { id } = useParams()
  return (
    <AdminsOnly>
      <Page
        wide
        back={<BackLink to="/settings/rules">{t('rules.title')}</BackLink>}
        title={t(id ? 'rules.edit' : 'rules.new')}
      >
        {id ? <ExistingRule key={id} id={id} /> : <RuleForm />}
      </Page>
    </AdminsOnly>
  )
}

function ExistingRule({ id }: { id: string }) {
  const { t } = useTranslation()
  const rules = useQuery(rulesQuery)
  if (!rules.data) return <QueryView query={rules} failed={t('rules.failed')} />
  const rule = rules.data.find((candidate) => candidate.id === id)
  if (!rule) return <EmptyState drawing="rest" title={t('rules.deleted')} />
  return <RuleForm rule={rule} />
}
