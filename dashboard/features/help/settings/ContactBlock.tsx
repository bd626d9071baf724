import { useTranslation } from 'react-i18next'
import { EditBlock } from '../../../ui/EditBlock.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import type { BlockProps } from './block-props.ts'
import { useEditWords } from './useEditWords.ts'

/** How readers reach the team whom an article did not help. */
export function ContactBlock({ center, save }: BlockProps) {
  const { t } = useTranslation()
  const { contact_email, contact_url } = center
  return (
    <EditBlock
      title={t('help.contact')}
      text={t('help.contact_text')}
      labels={useEditWords()}
      saved={{ contact_email: contact_email ?? '', contact_url: contact_url ?? '' }}
      save={(fields) =>
        save({ contact_email: fields.contact_email.trim() || null, contact_url: fields.contact_url.trim() || null })
      }
    >
      {({ fields, change, isEditing }) => (
        <>
          <TextField
            type="email"
            label={t('help.contact_email')}
            maxLength={255}
            disabled={!isEditing}
            value={fields.contact_email}
            onChange={(next) => change({ contact_email: next })}
          />
          <TextField
            type="url"
            label={t('help.contact_url')}
            hint={t('help.contact_url_hint')}
            maxLength={500}
            disabled={!isEditing}
            value={fields.contact_url}
            onChange={(next) => change({ contact_url: next })}
          />
        </>
      )}
    </EditBlock>
  )
}
