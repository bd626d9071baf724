import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../../ui/Icon.tsx'
import { useAttach } from './attaching.ts'
import styles from './FileDrop.module.css'

interface FileDropProps {
  conversation_id: string
  /** Whether files can be attached here. */
  enabled: boolean
  className: string | undefined
  children: ReactNode
}

/** Accepts files dropped anywhere on a conversation. */
export function FileDrop({ conversation_id, enabled, className, children }: FileDropProps) {
  const { t } = useTranslation()
  const attach = useAttach(conversation_id)
  const zone = useRef<HTMLDivElement>(null)
  const isDragOver = useDroppedFiles(zone, enabled ? attach : undefined)
  return (
    <div className={className} ref={zone}>
      {children}
      {isDragOver && (
        <div className={styles.overlay}>
          <div className={styles.words}>
            <Icon name="paperclip" size={28} />
            <strong>{t('files.drop')}</strong>
            {t('files.limit')}
          </div>
        </div>
      )}
    </div>
  )
}

/** Whether files are being dragged over an element, and the handlers that accept them. */
function useDroppedFiles(
  zone: { readonly current: HTMLElement | null },
  addFiles: ((files: Iterable<File>) => void) | undefined,
): boolean {
  const [isDragOver, setDragOver] = useState(false)
  useEffect(() => {
    const element = zone.current
    if (!element || !addFiles) return
    const over = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      setDragOver(true)
    }
    const leave = (event: DragEvent) => {
      if (!(event.relatedTarget instanceof Node) || !element.contains(event.relatedTarget)) setDragOver(false)
    }
    const drop = (event: DragEvent) => {
      setDragOver(false)
      if (!holdsFiles(event)) return
      event.preventDefault()
      addFiles(event.dataTransfer?.files ?? [])
    }
    // A file dropped elsewhere must not replace the page.
    const preventNavigation = (event: DragEvent) => {
      if (holdsFiles(event)) event.preventDefault()
    }
    const stop = new AbortController()
    element.addEventListener('dragenter', over, stop)
    element.addEventListener('dragover', over, stop)
    element.addEventListener('dragleave', leave, stop)
    element.addEventListener('drop', drop, stop)
    window.addEventListener('dragover', preventNavigation, stop)
    window.addEventListener('drop', preventNavigation, stop)
    return () => stop.abort()
  }, [zone, addFiles])
  return isDragOver && !!addFiles
}

function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false
}
