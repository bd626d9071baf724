import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '#contract/accounts/audit.ts'
import type { WorkingHours } from '#contract/widget/working-hours.ts'
import { Each } from '../../../ui/Each.tsx'
import { writeMinute } from '../../widget/working-hours/day-minutes.ts'
import { useDayNames } from '../../widget/working-hours/useDayNames.ts'
import styles from './AuditPage.module.css'

/** Field names are the labels of the screens where they are changed. */
const WORDS = {
  company_name: 'account.company_name',
  company_logo_url: 'account.logo',
  time_zone: 'hours.zone',
  working_hours: 'hours.title',
  conversation_reminders_enabled: 'reminders.enabled',
  conversation_reminder_hours_interval: 'reminders.hours',
  max_num_conversation_reminders: 'reminders.most',
  retention_days: 'retention.days',
  subscription_plan: 'audit.plan',
  role: 'team.role',
  name: 'inboxes.name',
  description: 'inboxes.description',
  color: 'widget.color',
  icon_variant: 'widget.icon_variant',
  conversations: 'audit.kinds.conversation',
} as const

/** Which fields an audited action changed, with old and new values where they are short. */
export function Changes({ entry: { action, details } }: { entry: AuditEntry }) {
  const { t } = useTranslation()
  const format = useValueWords()
  const { fields = [], changes = {} } = details
  if (fields.length === 0) return null
  return (
    <ul className={styles.changes}>
      <Each name="change" items={fields} keyOf={(field) => field}>
        {(field) => {
          const values = changes[field]
          return (
            <li>
              {t(keyOf(action, field) as 'audit.what', { defaultValue: field.replaceAll('_', ' ') })}
              {values && (
                <>
                  : <bdi>{format(field, values.from)}</bdi> → <bdi>{format(field, values.to)}</bdi>
                </>
              )}
            </li>
          )
        }}
      </Each>
    </ul>
  )
}

/** The key of a field's label. A widget's name has another label than an inbox's. */
function keyOf(action: string, field: string): string {
  const isAppearance = field === 'color' || field === 'icon_variant'
  if (action === 'inbox.widget_settings_updated' && !isAppearance) return `widget.fields.${field}`
  return WORDS[field as keyof typeof WORDS] ?? field
}

function useValueWords() {
  const { t } = useTranslation()
  const dayName = useDayNames()
  const writeHours = ({ day, start_minute, end_minute }: WorkingHours) =>
    `${dayName(day)}, ${writeMinute(start_minute)} – ${writeMinute(end_minute)}`
  return (field: string, value: unknown): string => {
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return t('audit.nothing')
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (field === 'role') return t(value === 'admin' ? 'team.admin' : 'team.member')
    if (field === 'icon_variant') return t(`widget.icon_variants.${value as 'filled'}`)
    if (field === 'working_hours') return (value as WorkingHours[]).map(writeHours).join('; ')
    return String(value)
  }
}
