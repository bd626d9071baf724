import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isBillingEnabled } from '../../../platform/environment.ts'
import { Choice } from '../../../ui/Choice.tsx'
import { ColorField } from '../../../ui/ColorField.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { TextArea } from '../../../ui/TextArea.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { PALETTE, type SwitchName, type TextName, type WidgetForm } from './form.ts'
import styles from './WidgetSettings.module.css'

interface FieldsProps {
  form: WidgetForm
  change: (changes: Partial<WidgetForm>) => void
  flush: () => void
}

/** All settings of an inbox's chat window. */
export function ChatFields(props: FieldsProps) {
  const { form, change, flush } = props
  const { t } = useTranslation()
  const variants = ['outlined', 'filled'] as const
  return (
    <div className={styles.fields}>
      <div className={styles.pair}>
        <TextSetting of="name" {...props} />
        <TextSetting of="logo" {...props} />
      </div>
      <div className={styles.pair}>
        <TextSetting of="title" {...props} />
        <TextSetting of="subtitle" {...props} />
      </div>
      <ColorField
        label={t('widget.color')}
        palette={PALETTE}
        labels={{ pick: t('widget.pick_color'), hex: t('widget.hex'), wrong: t('widget.wrong_color') }}
        value={form.color}
        onChange={(color) => change({ color })}
        onBlur={flush}
      />
      <TextSetting of="greeting" long hinted {...props} />
      <TextSetting of="quick_reply_options" hinted {...props} />
      <TextSetting of="away_message" long hinted {...props} />
      <div className={styles.pair}>
        <TextSetting of="new_message_placeholder" {...props} />
        <TextSetting of="new_messages_notification_text" {...props} />
      </div>
      <Group title={t('widget.icon_variant')}>
        <Choice
          legend={t('widget.icon_variant')}
          hideLegend
          options={variants.map((value) => ({ value, label: t(`widget.icon_variants.${value}`) }))}
          value={form.icon_variant}
          onChange={(icon_variant) => change({ icon_variant })}
        />
        <p className={styles.hint}>{t('widget.icon_variant_hint')}</p>
      </Group>
      <Group title={t('widget.people')}>
        <SwitchField of="show_agent_availability" {...props} />
        {form.show_agent_availability && (
          <div className={styles.pair}>
            <TextSetting of="agent_available_text" {...props} />
            <TextSetting of="agent_unavailable_text" {...props} />
          </div>
        )}
        <SwitchField of="use_company_profile_only" hinted {...props} />
      </Group>
      <Group title={t('widget.upfront')}>
        <SwitchField of="require_name_upfront" {...props} />
        <SwitchField of="require_email_upfront" {...props} />
        {form.require_email_upfront && <TextSetting of="email_input_placeholder" {...props} />}
        <SwitchField of="require_phone_upfront" {...props} />
      </Group>
      <Group title={t('widget.composing')}>
        <SwitchField of="is_hide_voice" {...props} />
        <SwitchField of="is_hide_attachments" {...props} />
        <SwitchField of="is_open_by_default" {...props} />
        <SwitchField of="offers_articles" hinted {...props} />
        {/* Only shown where billing is on. */}
        {isBillingEnabled() ? (
          <SwitchField of="is_branding_hidden" hinted {...props} />
        ) : (
          <SwitchField of="is_branding_hidden" {...props} />
        )}
      </Group>
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.group}>
      <h3>{title}</h3>
      {children}
    </div>
  )
}

const HINTS = {
  greeting: 'widget.hints.greeting',
  quick_reply_options: 'widget.hints.quick_reply_options',
  away_message: 'widget.hints.away_message',
  use_company_profile_only: 'widget.hints.use_company_profile_only',
  is_branding_hidden: 'widget.hints.is_branding_hidden',
  offers_articles: 'widget.hints.offers_articles',
} as const

type Hinted<Name extends string> = { of: Name & keyof typeof HINTS; hinted: true } | { of: Name; hinted?: never }

function TextSetting({
  of,
  hinted,
  long = false,
  form,
  change,
  flush,
}: FieldsProps & Hinted<Exclude<TextName, 'color'>> & { long?: boolean }) {
  const { t } = useTranslation()
  const Text = long ? TextArea : TextField
  return (
    <Text
      label={t(`widget.fields.${of}`)}
      {...(hinted && { hint: t(HINTS[of]) })}
      value={form[of]}
      onChange={(value) => change({ [of]: value })}
      onBlur={flush}
    />
  )
}

function SwitchField({ of, hinted, form, change }: FieldsProps & Hinted<SwitchName>) {
  const { t } = useTranslation()
  return (
    <Switch
      label={t(`widget.fields.${of}`)}
      {...(hinted && { hint: t(HINTS[of]) })}
      checked={form[of]}
      onChange={(value) => change({ [of]: value })}
    />
  )
}
