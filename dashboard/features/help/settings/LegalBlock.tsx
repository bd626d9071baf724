import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { EditBlock } from '../../../ui/EditBlock.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import type { BlockProps } from './block-props.ts'
import styles from './HelpSettings.module.css'
import { useEditWords } from './useEditWords.ts'

const MAX_LINKS = 10

/** Links in the footer of each page. */
export function LegalBlock({ center, save }: BlockProps) {
  const { t } = useTranslation()
  return (
    <EditBlock
      title={t('help.legal')}
      text={t('help.legal_text')}
      labels={useEditWords()}
      saved={{ legal_links: center.legal_links }}
      save={save}
    >
      {({ fields: { legal_links: links }, change, isEditing }) => {
        const edit = (at: number, changes: { label?: string; url?: string }) =>
          change({ legal_links: links.map((link, index) => (index === at ? { ...link, ...changes } : link)) })
        return (
          <>
            {links.length === 0 && !isEditing && <p>{t('help.no_links')}</p>}
            {links.map((link, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the fields of one form have no other name
              <div key={at} className={styles.link}>
                <TextField
                  label={t('help.link_label')}
                  maxLength={60}
                  disabled={!isEditing}
                  value={link.label}
                  onChange={(label) => edit(at, { label })}
                />
                <TextField
                  type="url"
                  label={t('help.link_url')}
                  placeholder="https://"
                  maxLength={500}
                  disabled={!isEditing}
                  value={link.url}
                  onChange={(url) => edit(at, { url })}
                />
                {isEditing && (
                  <IconButton
                    icon="trash"
                    label={t('help.remove_link', { label: link.label })}
                    onClick={() => change({ legal_links: links.filter((_, index) => index !== at) })}
                  />
                )}
              </div>
            ))}
            {isEditing && links.length < MAX_LINKS && (
              <div>
                <Button size="small" onClick={() => change({ legal_links: [...links, { label: '', url: '' }] })}>
                  {t('help.add_link')}
                </Button>
              </div>
            )}
          </>
        )
      }}
    </EditBlock>
  )
}
