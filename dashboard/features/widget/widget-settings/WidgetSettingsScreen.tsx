import { type ReactNode, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Inbox } from '#contract/widget/inboxes.ts'
import type { WidgetSettings } from '#contract/widget/widgets.ts'
import { Button } from '../../../ui/Button.tsx'
import { useTabTitle } from '../../../ui/tab-title.ts'
import { AdminsOnly } from '../../accounts/accounts/AdminsOnly.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { WorkingHoursEditor } from '../working-hours/WorkingHoursEditor.tsx'
import { ChatFields } from './ChatFields.tsx'
import { appearanceOf } from './form.ts'
import { InstallSection } from './InstallSection.tsx'
import { PreviewSide } from './PreviewSide.tsx'
import { SaveStatus } from './SaveStatus.tsx'
import { SignedIdentitySection } from './SignedIdentitySection.tsx'
import { useWidgetForm } from './useWidgetForm.ts'
import styles from './WidgetSettings.module.css'

interface ScreenProps {
  inbox: Inbox
  settings: WidgetSettings
}

/** All settings of an inbox's chat window: hours, appearance, a live preview, and installation. */
export function WidgetSettingsScreen(props: ScreenProps) {
  return (
    <AdminsOnly>
      <Screen {...props} />
    </AdminsOnly>
  )
}

function Screen({ inbox, settings }: ScreenProps) {
  const { t } = useTranslation()
  const { account } = useTeam()
  const { form, change, flush, state } = useWidgetForm(settings)
  const [isPreviewed, setPreviewed] = useState(false)
  const own = settings.account
  useTabTitle(t('widget.title'))
  const appearance = useMemo(() => appearanceOf(form, own), [form, own])
  return (
    <main className={styles.page}>
      <div className={styles.inside}>
        <div className={styles.settings}>
          <header className={styles.head}>
            <div>
              <h1>{t('widget.title')}</h1>
              <p className={styles.quiet}>{inbox.name}</p>
            </div>
            <SaveStatus state={state} retry={flush} />
            <span className={styles.open}>
              <Button size="small" aria-expanded={isPreviewed} onClick={() => setPreviewed(!isPreviewed)}>
                {t(isPreviewed ? 'widget.hide_preview' : 'widget.show_preview')}
              </Button>
            </span>
          </header>
          <Section title={t('hours.title')} text={t('hours.text')}>
            <WorkingHoursEditor />
          </Section>
          <Section title={t('widget.configure')} text={t('widget.configure_text')}>
            <ChatFields form={form} change={change} flush={flush} />
          </Section>
          <Section title={t('widget.install')} text={t('widget.install_text')}>
            <InstallSection inbox_id={inbox.id} account_id={account.id} form={form} />
          </Section>
          <Section title={t('identity.title')} text={t('identity.text')}>
            <SignedIdentitySection inbox_id={inbox.id} />
          </Section>
        </div>
        <PreviewSide
          appearance={appearance}
          isFilled={form.icon_variant === 'filled'}
          account_id={account.id}
          inbox_id={inbox.id}
          isShown={isPreviewed}
        />
      </div>
    </main>
  )
}

function Section({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const heading = useId()
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {text && <p className={styles.quiet}>{text}</p>}
      <div className={styles.body}>{children}</div>
    </section>
  )
}
