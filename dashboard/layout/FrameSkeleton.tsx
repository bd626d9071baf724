import { useTranslation } from 'react-i18next'
import { ListSkeleton } from '../ui/Skeleton.tsx'
import styles from './Frame.module.css'

/** The outline of the frame while the user is loading. */
export function FrameSkeleton() {
  const { t } = useTranslation()
  return (
    <div className={styles.skeleton}>
      <div />
      <div />
      <div style={{ paddingTop: 112 }}>
        <ListSkeleton label={t('loading')} />
      </div>
      <div />
    </div>
  )
}
