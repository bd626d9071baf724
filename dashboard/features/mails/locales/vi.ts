import type { Translated } from '../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  mails: {
    title: 'Email',
    text: 'Những email gần đây nhất gửi nhân danh công ty bạn.',
    no_server:
      'Chưa thiết lập máy chủ email nên email được giữ ở đây. Mở một email để lấy liên kết. Đặt SMTP_URL để gửi đi.',
    none: 'Chưa có email nào.',
    templates: 'Mẫu email',
    to: 'Người nhận',
    subject: 'Tiêu đề',
    open: 'Mở',
    failed: 'Bị từ chối',
    waiting: 'Đang gửi',
    tried_other: 'Chưa gửi được, đã thử {{count}} lần',
    kept: 'Được giữ ở đây, chưa gửi',
    kept_before_other: '{{count}} thư được viết khi chưa có máy chủ thư. Thư chưa quá một ngày sẽ tự được gửi.',
    ask_kept_other: 'Gửi {{count}} thư đã giữ lại?',
    send_kept: 'Gửi thư đã giữ lại',
    retry: 'Gửi ngay',
    retried: 'Đang gửi lại thư.',
    list_failed: 'Không tải được danh sách email',
    one_failed: 'Không tải được email này',
    forgotten: 'Email này mở được tài khoản của một người nên nội dung chỉ dành cho người nhận.',
  },
}
