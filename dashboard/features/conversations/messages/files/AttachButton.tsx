import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../../ui/IconButton.tsx'

/** Opens the file dialog. */
export function AttachButton({ attach }: { attach: (files: Iterable<File>) => void }) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton icon="paperclip" label={t('files.attach')} placement="top" onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('files.attach')}
        onChange={({ target }) => {
          attach([...(target.files ?? [])])
          // Allows the same file to be chosen again.
          target.value = ''
        }}
      />
    </>
  )
}
