import { useTranslation } from 'react-i18next'
import { EditBlock } from '../../../ui/EditBlock.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import type { BlockProps } from './block-props.ts'
import { DomainProof } from './DomainProof.tsx'
import styles from './HelpSettings.module.css'
import { useEditWords } from './useEditWords.ts'

/** The path on this server, or an own domain with what is to be done for it. */
export function AddressBlock({ center, save }: BlockProps) {
  const { t } = useTranslation()
  const { slug, domain } = center
  return (
    <EditBlock
      title={t('help.address')}
      text={t('help.address_text')}
      labels={useEditWords()}
      saved={{ slug, domain: domain ?? '' }}
      save={(fields) => save({ slug: fields.slug, domain: fields.domain.trim() || null })}
    >
      {({ fields, change, isEditing }) => (
        <>
          <TextField
            label={t('help.path')}
            prefix="/help/"
            maxLength={100}
            disabled={!isEditing}
            spellCheck={false}
            value={fields.slug}
            onChange={(next) => change({ slug: next })}
          />
          <TextField
            label={t('help.domain')}
            placeholder="help.example.com"
            maxLength={253}
            disabled={!isEditing}
            spellCheck={false}
            value={fields.domain}
            onChange={(next) => change({ domain: next })}
          />
          {domain && fields.domain.trim() === domain && <DomainProof center={center} />}
          {fields.domain.trim() !== '' && (
            <ol className={styles.steps}>
              <li>{t('help.domain_dns', { domain: fields.domain.trim(), host: location.hostname })}</li>
              <li>{t('help.domain_proxy', { domain: fields.domain.trim() })}</li>
              <li>{t('help.domain_try', { domain: fields.domain.trim() })}</li>
            </ol>
          )}
        </>
      )}
    </EditBlock>
  )
}
