import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { DEMO_ACCOUNT } from '#contract/accounts/demo-account.ts'
import { supportChat } from '../../../platform/environment.ts'
import { ColorField } from '../../../ui/ColorField.tsx'
import { readHex } from '../../../ui/color.ts'
import { TextField } from '../../../ui/TextField.tsx'
import { PALETTE, PRIMARY_COLOR } from '../widget-settings/form.ts'
import { WidgetPreview } from '../widget-settings/WidgetPreview.tsx'
import styles from './DemoPage.module.css'
import { DemoShell } from './DemoShell.tsx'

/** A chat window to try out, with title, subtitle and color, without an account. */
export function DemoPage() {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const [title, setTitle] = useState(params.get('title') ?? t('demo.default_title'))
  const [subtitle, setSubtitle] = useState(params.get('subtitle') ?? t('demo.default_subtitle'))
  const [color, setColor] = useState(readHex(params.get('color') ?? '') ?? PRIMARY_COLOR)
  const appearance = useMemo(
    () => ({ title, subtitle, primaryColor: readHex(color) ?? PRIMARY_COLOR }),
    [title, subtitle, color],
  )
  const chat = supportChat()
  return (
    <DemoShell title={t('demo.title')} text={t('demo.text')}>
      <div className={styles.columns}>
        <div className={styles.fields}>
          <TextField label={t('demo.widget_title')} value={title} onChange={setTitle} />
          <TextField label={t('demo.widget_subtitle')} value={subtitle} onChange={setSubtitle} />
          <ColorField
            label={t('demo.color')}
            palette={PALETTE}
            labels={{ pick: t('widget.pick_color'), hex: t('widget.hex'), wrong: t('widget.wrong_color') }}
            value={color}
            onChange={setColor}
          />
          <p>
            <Link to="/register" className={styles.next}>
              {t('demo.sign_up')}
            </Link>
          </p>
        </div>
        <div className={styles.preview}>
          {chat ? (
            <WidgetPreview
              appearance={appearance}
              account_id={chat.token}
              inbox_id={chat.inbox ?? undefined}
              {...(chat.base && { base: chat.base })}
            />
          ) : (
            <WidgetPreview appearance={appearance} account_id={DEMO_ACCOUNT} isMute />
          )}
          {!chat && <p className={styles.quiet}>{t('demo.mute')}</p>}
        </div>
      </div>
    </DemoShell>
  )
}
