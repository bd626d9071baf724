import type { Translated } from '../../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  plan_notices: {
    exceeded:
      'Có vẻ bạn đã vượt giới hạn của gói hiện tại. Vui lòng nâng cấp trước {{date}} để không tính năng nào bị tắt!',
    too_many_users: 'Gói của bạn gồm {{limit}} người dùng, và bạn có {{count}}.',
    too_many_messages: 'Gói của bạn gồm {{limit}} tin nhắn, và bạn có {{count}}.',
    payment_failed:
      'Lần thanh toán gần nhất không thành công. Gói của bạn được giữ đến {{date}}; vui lòng đổi thẻ hoặc trả hóa đơn trước ngày đó.',
    payment_waits: 'Chưa có khoản thanh toán đầu tiên. Vui lòng chọn thẻ khác hoặc xác nhận thanh toán.',
    pay: 'Trả hóa đơn',
    open: 'Mở trang thanh toán',
    integration: 'Tích hợp này chỉ có trong gói Lite và Team.',
    lite: 'Tính năng này chỉ có trong gói Lite và Team.',
    team: 'Tính năng này chỉ có trong gói Team.',
    email_forwarding: 'Chuyển tiếp email chỉ có trong gói Lite và Team. <trial>Đăng ký dùng thử miễn phí!</trial>',
    upgrade: 'Nâng cấp gói',
  },
}
