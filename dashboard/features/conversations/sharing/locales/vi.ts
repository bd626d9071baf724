import type { Translated } from '../../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  shared: {
    with: 'Cuộc trò chuyện với {{name}}',
    text: 'Cuộc trò chuyện được chia sẻ, chỉ đọc',
    nothing: 'Không có tin nhắn',
    failed: 'Không thể hiển thị cuộc trò chuyện này',
  },
}
