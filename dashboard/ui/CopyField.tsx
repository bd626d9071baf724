import { Button, Input, Space } from 'antd'
import { copyText } from './clipboard.ts'

interface CopyFieldProps {
  label: string
  value: string
  copyLabel: string
  /** Told whether it is on the clipboard now. */
  copied: (done: boolean) => void
}

/** A text to be taken elsewhere: read-only, with a button that copies it. */
export function CopyField({ label, value, copyLabel, copied }: CopyFieldProps) {
  return (
    <Space.Compact block>
      <Input readOnly aria-label={label} value={value} onFocus={(event) => event.target.select()} />
      <Button onClick={async () => copied(await copyText(value))}>{copyLabel}</Button>
    </Space.Compact>
  )
}
