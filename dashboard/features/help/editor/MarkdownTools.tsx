import { type RefObject, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_FILE_BYTES } from '#contract/conversations/files.ts'
import { showError } from '../../../platform/http/errors.ts'
import { uploadFile } from '../../../platform/http/upload-request.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import type { MarkdownEditorHandle } from '../../../ui/MarkdownEditor.tsx'
import { notify } from '../../../ui/notices.ts'
import styles from './Editor.module.css'

interface ToolsProps {
  editor: RefObject<MarkdownEditorHandle | null>
  upload: (files: Iterable<File>) => void
  isUploading: boolean
}

/** The toolbar above the text. */
export function MarkdownTools({ editor, upload, isUploading }: ToolsProps) {
  const { t } = useTranslation()
  const picker = useRef<HTMLInputElement>(null)
  const cells = [t('help.tools.column'), t('help.tools.column')].join(' | ')
  return (
    <div className={styles.tools} role="toolbar" aria-label={t('help.tools.label')}>
      <IconButton
        icon="bold"
        label={t('help.tools.bold')}
        keys="mod+b"
        onClick={() => editor.current?.toggleMarks('**')}
      />
      <IconButton
        icon="link"
        label={t('help.tools.link')}
        onClick={() => editor.current?.insertLink(t('help.tools.link_text'))}
      />
      <IconButton icon="heading" label={t('help.tools.heading')} onClick={() => editor.current?.toggleLines('## ')} />
      <IconButton icon="list" label={t('help.tools.list')} onClick={() => editor.current?.toggleLines('- ')} />
      <IconButton icon="picture" label={t('help.tools.picture')} onClick={() => picker.current?.click()} />
      <IconButton
        icon="info"
        label={t('help.tools.callout')}
        onClick={() => editor.current?.insertBlock(`> [!NOTE]\n> ${t('help.tools.callout_text')}`)}
      />
      <IconButton
        icon="table"
        label={t('help.tools.table')}
        onClick={() => editor.current?.insertBlock(`| ${cells} |\n| --- | --- |\n|  |  |`)}
      />
      <input
        ref={picker}
        hidden
        type="file"
        multiple
        aria-label={t('help.tools.picture')}
        onChange={({ target }) => {
          upload([...(target.files ?? [])])
          // Allows the same file to be chosen again.
          target.value = ''
        }}
      />
      <span className={styles.quiet} role="status">
        {isUploading && t('help.uploading')}
      </span>
    </div>
  )
}

/** Uploads files one after the other, and inserts each: pictures are shown, others are linked. */
export function useUploads(editor: RefObject<MarkdownEditorHandle | null>) {
  const { t } = useTranslation()
  const [running, setRunning] = useState(0)
  async function upload(files: Iterable<File>) {
    setRunning((count) => count + 1)
    for (const file of files) {
      if (file.size > MAX_FILE_BYTES) {
        notify({ kind: 'error', title: t('help.too_large', { name: file.name }) })
        continue
      }
      try {
        const stored = await uploadFile(file, { progress: () => {}, signal: new AbortController().signal })
        const name = stored.filename.replace(/[[\]\\]/g, ' ')
        const link = `[${name}](<${stored.file_url}>)`
        editor.current?.insertBlock(stored.content_type.startsWith('image/') ? `!${link}` : link)
      } catch (error) {
        showError('File not uploaded', error)
      }
    }
    setRunning((count) => count - 1)
  }
  return { upload, isUploading: running > 0 }
}
