import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TemplateKind } from '#contract/mail/email-templates.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Select } from '../../../ui/Select.tsx'
import { AdminsOnly } from '../../accounts/accounts/AdminsOnly.tsx'
import { templatesQuery } from './queries.ts'
import { TemplateEditor } from './TemplateEditor.tsx'

/** The templates of emails to customers. */
export function TemplatesPage() {
  return (
    <AdminsOnly>
      <Templates />
    </AdminsOnly>
  )
}

function Templates() {
  const { t } = useTranslation()
  const templates = useQuery(templatesQuery)
  const [kind, setKind] = useState<TemplateKind>('reply')
  const template = templates.data?.find((candidate) => candidate.kind === kind)
  return (
    <Page title={t('templates.title')} text={t('templates.text')}>
      {templates.data && templates.data.length > 1 && (
        <Select
          label={t('templates.kind')}
          options={templates.data.map((item) => ({ value: item.kind, label: t(`templates.kinds.${item.kind}`) }))}
          value={kind}
          onChange={setKind}
        />
      )}
      {template ? (
        <TemplateEditor key={kind} template={template} />
      ) : (
        <QueryView query={templates} failed={t('templates.failed')} />
      )}
    </Page>
  )
}
