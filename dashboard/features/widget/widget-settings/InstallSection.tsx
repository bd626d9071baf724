import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findLanguage } from '#contract/languages.ts'
import { publicAddress, widgetLanguage } from '../../../platform/environment.ts'
import { nameOfLanguage } from '../../../platform/language.ts'
import { Choice } from '../../../ui/Choice.tsx'
import { CodeSnippet, CopyCode } from '../../../ui/CodeSnippet.tsx'
import { Select } from '../../../ui/Select.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { AddressNotice } from './AddressNotice.tsx'
import type { WidgetForm } from './form.ts'
import { InstallCheck } from './InstallCheck.tsx'
import { LANGUAGE_OF_PAGE, WIDGET_LANGUAGES, writeHtml, writeReact } from './snippets.ts'
import styles from './WidgetSettings.module.css'

interface InstallProps {
  account_id: string
  inbox_id: string
  form: WidgetForm
}

const KINDS = [
  { value: 'html', label: 'HTML' },
  { value: 'react', label: 'REACT' },
] as const

/** The code for a website, and whether it works. */
export function InstallSection({ account_id, inbox_id, form }: InstallProps) {
  const { t } = useTranslation()
  const [kind, setKind] = useState<'html' | 'react'>('html')
  const [isWhole, setWhole] = useState(false)
  const [language, setLanguage] = useState(() => findLanguage(WIDGET_LANGUAGES, [widgetLanguage()]) ?? LANGUAGE_OF_PAGE)
  const write = kind === 'html' ? writeHtml : writeReact
  const code = write({ account_id, inbox_id, base: publicAddress(), language }, isWhole ? form : undefined)
  return (
    <div className={styles.install}>
      <AddressNotice />
      <div className={styles.tools}>
        <Choice legend={t('widget.install_kind')} hideLegend options={KINDS} value={kind} onChange={setKind} />
        <CopyCode code={code} label={t('widget.copy')} copied={t('widget.copied')} notCopied={t('widget.not_copied')} />
      </div>
      <p className={styles.quiet}>{t(`widget.install_${kind}`)}</p>
      <CodeSnippet code={code} label={t('widget.snippet')} />
      <Switch label={t('widget.whole')} hint={t('widget.whole_hint')} checked={isWhole} onChange={setWhole} />
      <Select
        label={t('widget.language')}
        options={[
          { value: LANGUAGE_OF_PAGE, label: t('widget.language_page') },
          ...WIDGET_LANGUAGES.map((value) => ({ value, label: nameOfLanguage(value) })),
        ]}
        value={language}
        onChange={setLanguage}
      />
      <InstallCheck inbox_id={inbox_id} />
    </div>
  )
}
