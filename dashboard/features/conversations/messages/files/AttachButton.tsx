import { type RefObject, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { Menu } from '../../../../ui/Menu.tsx'

/** Whether there is a camera at hand: browsers of other devices ignore the wish for one, and show their files. */
const hasCamera = globalThis.matchMedia?.('(pointer: coarse)').matches

/** Opens the file dialog. On phones and tablets it offers the camera as well. */
export function AttachButton({ attach }: { attach: (files: Iterable<File>) => void }) {
  const { t } = useTranslation()
  const files = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const button = { icon: 'paperclip', label: t('files.attach'), placement: 'top' } as const
  return (
    <>
      {hasCamera ? (
        <Menu
          items={[
            { key: 'camera', label: t('files.camera'), onClick: () => camera.current?.click() },
            { key: 'files', label: t('files.choose'), onClick: () => files.current?.click() },
          ]}
        >
          {(trigger) => <IconButton {...trigger} {...button} />}
        </Menu>
      ) : (
        <IconButton {...button} onClick={() => files.current?.click()} />
      )}
      <FileInput input={files} label={t('files.attach')} multiple attach={attach} />
      {hasCamera && (
        <FileInput input={camera} label={t('files.camera')} accept="image/*" capture="environment" attach={attach} />
      )}
    </>
  )
}

interface InputProps {
  input: RefObject<HTMLInputElement | null>
  label: string
  attach: (files: Iterable<File>) => void
  multiple?: boolean
  accept?: string
  capture?: 'environment'
}

function FileInput({ input, label, attach, ...rest }: InputProps) {
  return (
    <input
      ref={input}
      type="file"
      hidden
      aria-label={label}
      onChange={({ target }) => {
        attach([...(target.files ?? [])])
        // Allows the same file to be chosen again.
        target.value = ''
      }}
      {...rest}
    />
  )
}
