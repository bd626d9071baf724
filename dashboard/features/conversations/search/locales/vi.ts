import type { Translated } from '../../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  search: {
    hints: 'Tìm trong tin nhắn, tên người và chủ đề, hoặc thu hẹp bằng:',
    operators: {
      from: 'do một người viết',
      tag: 'trong hội thoại có thẻ',
      inbox: 'trong một hộp thư',
      assignee: 'giao cho một người, hoặc nobody: chưa giao',
      status: 'open: đang mở, closed: đã đóng',
      before: 'trước một ngày',
      after: 'từ một ngày trở đi',
      has: 'có tệp đính kèm',
    },
    results: 'Kết quả tìm kiếm',
    count_other: '{{count}} kết quả',
    subject: 'Chủ đề: {{subject}}',
    nothing: 'Không có tin nhắn nào khớp',
    nothing_text: 'Hãy thử ít từ hơn hoặc từ khác. Chỉ cần nhập phần đầu của từ, không cần dấu.',
    failed: 'Không tìm kiếm được',
  },
}
