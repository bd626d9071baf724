import { useTranslation } from 'react-i18next'
import { EditBlock } from '../../../ui/EditBlock.tsx'
import { MultiSelect } from '../../../ui/MultiSelect.tsx'
import { Select } from '../../../ui/Select.tsx'
import { languageName } from '../languages.ts'
import type { BlockProps } from './block-props.ts'
import { useEditWords } from './useEditWords.ts'

/** Suggested; any other tag can be typed. */
const COMMON = [
  ...['ar', 'bg', 'cs', 'da', 'de', 'el', 'en', 'es', 'et', 'fa', 'fi', 'fr', 'he', 'hi', 'hr', 'hu', 'id', 'it'],
  ...['ja', 'ko', 'lt', 'lv', 'nb', 'nl', 'pl', 'pt', 'pt-BR', 'ro', 'ru', 'sk', 'sl', 'sr', 'sv', 'th', 'tr', 'uk'],
  ...['vi', 'zh', 'zh-Hant'],
]

/** The languages that readers can choose, and the one shown where a translation is missing. */
export function LanguagesBlock({ center, save }: BlockProps) {
  const { t } = useTranslation()
  const { languages, default_language } = center
  return (
    <EditBlock
      title={t('help.languages')}
      text={t('help.languages_text')}
      labels={useEditWords()}
      saved={{ languages, default_language }}
      save={save}
    >
      {({ fields, change, isEditing }) => (
        <>
          <MultiSelect
            label={t('help.languages')}
            allowsNew
            disabled={!isEditing}
            options={[...new Set([...COMMON, ...fields.languages])].map((value) => ({
              value,
              label: languageName(value),
            }))}
            value={fields.languages}
            onChange={(next) => {
              const first = next.includes(fields.default_language) ? fields.default_language : next[0]
              change({ languages: next, default_language: first ?? fields.default_language })
            }}
          />
          <Select
            label={t('help.default_language')}
            disabled={!isEditing}
            options={fields.languages.map((value) => ({ value, label: languageName(value) }))}
            value={fields.default_language}
            onChange={(next) => change({ default_language: next })}
          />
        </>
      )}
    </EditBlock>
  )
}
