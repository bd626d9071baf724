import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { Company } from '#contract/customers/companies.ts'
import { ConversationsOf } from '../../features/conversations/conversations/list/ConversationsOf.tsx'
import { companyQuery, deleteCompany } from '../../features/customers/companies/queries.ts'
import { WebLink } from '../../features/customers/companies/WebLink.tsx'
import { customerListQuery } from '../../features/customers/customers/customer-list.ts'
import { errorText, showError } from '../../platform/http/errors.ts'
import { isTemporary } from '../../platform/http/request.ts'
import { useLeaveWhenDeleted } from '../../platform/useLeaveWhenDeleted.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Block } from '../../ui/EditBlock.tsx'
import { LoadFailed } from '../../ui/LoadFailed.tsx'
import { notify } from '../../ui/notices.ts'
import { Page } from '../../ui/Page.tsx'
import { TableSkeleton } from '../../ui/Table.tsx'
import { CustomersOf } from '../customer/CustomersOf.tsx'
import styles from './CompanyPage.module.css'

/** One company: its details, customers and conversations. */
export function CompanyPage() {
  const { t } = useTranslation()
  const { id = '' } = useParams()
  const [isDeleted, setDeleted] = useState(false)
  useLeaveWhenDeleted(isDeleted, '/companies')
  const { data: company, error, refetch } = useQuery({ ...companyQuery(id), enabled: !isDeleted })
  if (error && !isDeleted && !(company && isTemporary(error))) {
    return (
      <LoadFailed
        isPage
        title={t('companies.failed')}
        text={errorText(error)}
        retryLabel={t('retry')}
        retry={refetch}
        back={{ to: '/companies', label: t('companies.back') }}
      />
    )
  }
  if (company) return <Loaded key={company.id} company={company} isDeleted={isDeleted} leave={() => setDeleted(true)} />
  return (
    <Page title={t('screens.company')}>
      <TableSkeleton label={t('loading')} />
    </Page>
  )
}

interface LoadedProps {
  company: Company
  isDeleted: boolean
  leave: () => void
}

function Loaded({ company, isDeleted, leave }: LoadedProps) {
  const { t } = useTranslation()
  const { id, name, description, website_url, slack_channel_name, slack_team_name } = company
  const channel =
    slack_channel_name && (slack_team_name ? `${slack_channel_name} (${slack_team_name})` : slack_channel_name)
  return (
    <Page
      back={<BackLink to="/companies">{t('companies.back')}</BackLink>}
      title={name}
      text={description ?? undefined}
      actions={
        <>
          <DeleteCompany company={company} isDeleted={isDeleted} leave={leave} />
          <ButtonLink variant="primary" to={`/companies/${id}/edit`}>
            {t('edit')}
          </ButtonLink>
        </>
      }
    >
      <Block title={t('companies.details')}>
        <div className={styles.fact}>
          <span>{t('companies.website')}:</span> {website_url ? <WebLink url={website_url} /> : '--'}
        </div>
        <p>
          {t('companies.slack')}: {channel || '--'}
        </p>
      </Block>
      <Block wide title={t('companies.people')}>
        <CustomersOf filter={{ company_id: id }} />
      </Block>
      <Block wide title={t('conversations_of.label')}>
        <ConversationsOf named filter={{ company_id: id }} />
      </Block>
    </Page>
  )
}

/** Offered only without customers, who would lose their company unnoticed. */
function DeleteCompany({ company, isDeleted, leave }: LoadedProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { data: people } = useQuery(customerListQuery({ company_id: company.id }))
  if (people?.total_entries !== 0) return null
  async function remove() {
    try {
      await deleteCompany(client, company)
      leave()
      notify({ kind: 'success', title: t('companies.deleted', { name: company.name }), seconds: 10 })
    } catch (error) {
      showError('Company not deleted', error)
    }
  }
  return (
    <Confirm question={t('companies.confirm')} yes={t('yes')} no={t('no')} run={remove}>
      <Button danger disabled={isDeleted}>
        {t('companies.delete')}
      </Button>
    </Confirm>
  )
}
