import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { NotifyAbout } from '#contract/accounts/user-settings.ts'
import type { PushSettings, PushSettingsChanges } from '#contract/conversations/push.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { Check } from '../../../ui/Check.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Select } from '../../../ui/Select.tsx'
import { inboxesQuery } from '../../widget/inboxes/queries.ts'
import styles from './PushBlock.module.css'
import { QuietHours } from './QuietHours.tsx'
import { pushSettingsQuery, useSavePushSettings } from './queries.ts'

const PARTS = ['mine', 'unassigned', 'mentions'] as const satisfies NotifyAbout[]
const MAIL_MINUTES = [5, 15, 30, 60]
const NEVER = 'never'

export interface ChoiceProps {
  settings: PushSettings
  save: (changes: PushSettingsChanges) => void
}

/** What the user is notified about on all their devices. Saved at once, and reverted if the server refuses. */
export function PushChoices() {
  const { t } = useTranslation()
  const query = useQuery(pushSettingsQuery)
  const save = useSavePushSettings()
  const settings = query.data
  if (!settings) return <QueryView query={query} failed={t('push.failed')} />
  return (
    <>
      <About settings={settings} save={save} />
      <Inboxes settings={settings} save={save} />
      <Check
        label={t('push.shows_text')}
        hint={t('push.shows_text_hint')}
        checked={settings.shows_text}
        onChange={(shows_text) => save({ shows_text })}
      />
      <QuietHours settings={settings} save={save} />
      <MailAfter settings={settings} save={save} />
    </>
  )
}

function About({ settings: { about }, save }: ChoiceProps) {
  const { t } = useTranslation()
  const isAll = about.includes('all')
  const choose = (rule: NotifyAbout, isChecked: boolean) => {
    const others = about.filter((other) => other !== rule)
    save({ about: isChecked ? [...others, rule] : others })
  }
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.hint}>{t('push.about')}</legend>
      <Check
        label={t('notifications.all')}
        checked={isAll}
        onChange={(isChecked) => save({ about: isChecked ? ['all'] : [...PARTS] })}
      />
      {PARTS.map((rule) => (
        <Check
          key={rule}
          label={t(`notifications.${rule}`)}
          checked={isAll || about.includes(rule)}
          disabled={isAll}
          onChange={(isChecked) => choose(rule, isChecked)}
        />
      ))}
    </fieldset>
  )
}

/** Where there is only one inbox, there is nothing to choose. */
function Inboxes({ settings: { muted_inbox_ids }, save }: ChoiceProps) {
  const { t } = useTranslation()
  const { data: inboxes = [] } = useQuery(inboxesQuery)
  if (inboxes.length < 2) return null
  const choose = (id: string, isChecked: boolean) => {
    const others = muted_inbox_ids.filter((other) => other !== id && inboxes.some((inbox) => inbox.id === other))
    save({ muted_inbox_ids: isChecked ? others : [...others, id] })
  }
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.hint}>{t('push.inboxes')}</legend>
      <Each name="inbox" items={inboxes} keyOf={({ id }) => id}>
        {({ id, name }) => (
          <Check label={name} checked={!muted_inbox_ids.includes(id)} onChange={(isChecked) => choose(id, isChecked)} />
        )}
      </Each>
    </fieldset>
  )
}

function MailAfter({ settings: { mail_after_minutes }, save }: ChoiceProps) {
  const { t } = useTranslation()
  const minutes = [...new Set([...MAIL_MINUTES, ...(mail_after_minutes ? [mail_after_minutes] : [])])].sort(
    (a, b) => a - b,
  )
  return (
    <Select
      label={t('push.mail_after')}
      hint={t('push.mail_after_hint')}
      options={[
        { value: NEVER, label: t('push.mail_never') },
        ...minutes.map((count) => ({ value: `${count}`, label: t('push.mail_minutes', { count }) })),
      ]}
      value={`${mail_after_minutes ?? NEVER}`}
      onChange={(chosen) => save({ mail_after_minutes: chosen === NEVER ? null : Number(chosen) })}
    />
  )
}
