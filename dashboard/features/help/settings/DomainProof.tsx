import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { HelpCenter } from '#contract/help/help-center.ts'
import { errorText } from '../../../platform/http/errors.ts'
import { Button } from '../../../ui/Button.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import styles from './HelpSettings.module.css'
import { checkDomain } from './queries.ts'

/** Whether the own domain is known to belong to the company, and otherwise the DNS record that proves it. */
export function DomainProof({ center: { domain_record, domain_verified_at } }: { center: HelpCenter }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { mutate, isPending, error } = useMutation({ mutationFn: () => checkDomain(client) })
  if (domain_verified_at) return <Pill tone="success">{t('help.domain_verified')}</Pill>
  return (
    <div className={styles.proof}>
      <Pill tone="warning">{t('help.domain_unverified')}</Pill>
      <p>{t('help.domain_record_text')}</p>
      <dl>
        <dt>{t('help.domain_record_name')}</dt>
        <dd>
          <code>{domain_record?.name}</code>
        </dd>
        <dt>{t('help.domain_record_value')}</dt>
        <dd>
          <code>{domain_record?.value}</code>
        </dd>
      </dl>
      {error && <p role="alert">{errorText(error)}</p>}
      <Button loading={isPending} onClick={() => mutate()}>
        {t('help.domain_check')}
      </Button>
    </div>
  )
}
