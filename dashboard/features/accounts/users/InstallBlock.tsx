import { useTranslation } from 'react-i18next'
import { install, useInstalling } from '../../../platform/installing.ts'
import { Button } from '../../../ui/Button.tsx'
import { Block } from '../../../ui/EditBlock.tsx'

/** How to install the dashboard as an app in this browser. */
export function InstallBlock() {
  const { t } = useTranslation()
  const installing = useInstalling()
  return (
    <Block title={t('install.title')} text={t('install.text')}>
      {installing === 'button' ? (
        <div>
          <Button onClick={install}>{t('install.button')}</Button>
        </div>
      ) : (
        <p>{t(`install.${installing}`)}</p>
      )}
    </Block>
  )
}
