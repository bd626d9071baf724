import type { Translated } from '../../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  mails: {
    title: 'Email',
    text: 'Những email gần đây nhất được gửi dưới danh nghĩa công ty bạn.',
    no_server: 'Chưa thiết lập máy chủ email nên email được giữ ở đây. Mở một email để đọc. Đặt SMTP_URL để gửi đi.',
    none: 'Chưa có email nào.',
    templates: 'Mẫu email',
    to: 'Người nhận',
    subject: 'Tiêu đề',
    open: 'Mở',
    failed: 'Bị từ chối',
    waiting: 'Đang chờ',
    tried_other: 'Chưa gửi được, đã thử {{count}} lần',
    unsent: 'Được giữ ở đây, chưa gửi',
    unsent_before_other:
      '{{count}} email được viết khi chưa thiết lập máy chủ email. Email chưa quá một ngày sẽ được gửi tự động.',
    confirm_send_other: 'Gửi {{count}} email đã giữ lại?',
    send_unsent: 'Gửi email đã giữ lại',
    retry: 'Gửi ngay',
    retried: 'Đang gửi lại email.',
    list_failed: 'Không tải được danh sách email',
    one_failed: 'Không tải được email này',
    forgotten:
      'Email này cho phép truy cập tài khoản của một người, nên không được hiển thị ở đây. Nếu không có máy chủ email, người vận hành Parley tìm thấy liên kết trong nhật ký của máy chủ.',
  },
}
