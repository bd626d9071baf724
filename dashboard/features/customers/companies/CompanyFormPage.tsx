import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import type { Company } from '#contract/customers/companies.ts'
import { changedFields } from '../../../platform/forms/changed-fields.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { errorText } from '../../../platform/http/errors.ts'
import { BackLink } from '../../../ui/BackLink.tsx'
import { Button } from '../../../ui/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { LoadFailed } from '../../../ui/LoadFailed.tsx'
import { Page } from '../../../ui/Page.tsx'
import { TableSkeleton } from '../../../ui/Table.tsx'
import { TextArea } from '../../../ui/TextArea.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import styles from './CompanyFormPage.module.css'
import { companyQuery, createCompany, updateCompany } from './queries.ts'
import { SlackChannelFields } from './SlackChannelFields.tsx'

export function NewCompanyPage() {
  const { t } = useTranslation()
  return (
    <Page back={<BackLink to="/companies">{t('companies.back')}</BackLink>} title={t('companies.new')}>
      <CompanyForm />
    </Page>
  )
}

export function EditCompanyPage() {
  const { t } = useTranslation()
  const { id = '' } = useParams()
  const { data: company, error, refetch } = useQuery(companyQuery(id))
  if (error && !company) {
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
  return (
    <Page
      back={<BackLink to={`/companies/${id}`}>{t('companies.back_to_company')}</BackLink>}
      title={t('companies.edit')}
    >
      {company ? <CompanyForm key={company.id} company={company} /> : <TableSkeleton label={t('loading')} />}
    </Page>
  )
}

function CompanyForm({ company }: { company?: Company }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [opened] = useState({
    name: company?.name ?? '',
    description: company?.description ?? '',
    website_url: company?.website_url ?? '',
    slack_channel_id: company?.slack_channel_id ?? null,
    slack_channel_name: company?.slack_channel_name ?? null,
    slack_team_id: company?.slack_team_id ?? null,
    slack_team_name: company?.slack_team_name ?? null,
  })
  const [draft, setDraft] = useState(opened)
  const { saving, error, submit, guard } = useSaving(async () => {
    const { id } = company
      ? await updateCompany(client, company.id, changedFields(opened, draft))
      : await createCompany(client, draft)
    navigate(`/companies/${id}`)
  })
  const write = (field: 'name' | 'description' | 'website_url') => (text: string) =>
    setDraft({ ...draft, [field]: text })
  return (
    <form ref={guard.watch} className={styles.form} onSubmit={submit}>
      <TextField label={t('companies.name')} autoFocus dir="auto" value={draft.name} onChange={write('name')} />
      <TextArea label={t('companies.description')} value={draft.description} onChange={write('description')} />
      <TextField
        label={t('companies.website')}
        placeholder="https://example.com"
        value={draft.website_url}
        onChange={write('website_url')}
      />
      <SlackChannelFields channel={draft} onChange={(channel) => setDraft({ ...draft, ...channel })} />
      <FormError text={error} />
      <div>
        <Button variant="primary" type="submit" loading={saving}>
          {t(company ? 'save' : 'companies.create')}
        </Button>
      </div>
    </form>
  )
}
