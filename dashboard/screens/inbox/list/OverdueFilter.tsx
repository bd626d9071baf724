import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { pathOfView } from '../../../features/conversations/conversations/views.ts'
import { Check } from '../../../ui/Check.tsx'

/** Limits what is due to what is overdue. The address says it, so it can be shared and survives a reload. */
export function OverdueFilter({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const choose = (is_overdue: boolean) => void navigate(pathOfView({ bucket: 'due', is_overdue }))
  return <Check label={t('list.only_overdue')} checked={isOn} onChange={choose} />
}
