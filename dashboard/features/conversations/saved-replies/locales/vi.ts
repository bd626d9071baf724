import type { Translated } from '../../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  saved_replies: {
    title: 'Câu trả lời mẫu',
    text: 'Những câu trả lời nhóm của bạn thường dùng, lưu với một tên ngắn.',
    new: 'Thêm mới',
    search: 'Tìm câu trả lời mẫu...',
    create: 'Câu trả lời mẫu mới',
    edit: 'Sửa câu trả lời mẫu',
    name: 'Tên',
    content: 'Nội dung',
    actions: 'Thao tác',
    confirm: 'Xóa /{{name}}?',
    variables: 'Chèn biến',
    variable: {
      customer_name: 'Tên khách hàng',
      customer_email: 'Email khách hàng',
      customer_company: 'Công ty của khách hàng',
      agent_name: 'Tên của bạn',
      account_name: 'Tên công ty',
    },
    variables_hint: 'Được điền khi chèn câu trả lời. Sau dấu | là nội dung thay thế khi chưa biết giá trị:',
    preview: 'Ví dụ:',
    none: 'Chưa có câu trả lời mẫu',
    nothing: 'Không tìm thấy. Tạo câu trả lời mẫu mới <here>tại đây</here>.',
    failed: 'Không thể tải các câu trả lời mẫu',
  },
}
