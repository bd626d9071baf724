import type { Translated } from '../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  getting_started: {
    title: 'Bắt đầu',
    text: 'Chỉ vài bước nữa là khách hàng có thể liên hệ với bạn.',
    member_text: 'Chỉ một bước nữa là khách hàng biết ai đang trả lời họ.',
    done: 'Xong',
    see_inbox: 'Xem {{name}}',
    failed: 'Không tải được tiến độ thiết lập',
    inbox: 'Đặt chat lên trang web của bạn',
    inbox_text: 'Chỉ cần vài dòng. Bạn có thể chọn màu sắc và nội dung bất cứ lúc nào.',
    waiting_website: 'Đang chờ trang web của bạn… Hãy mở trang và bấm nút chat ở đó.',
    hello: 'Trả lời tin nhắn đầu tiên',
    hello_text: 'Viết như một khách trong khung chat trên trang web của bạn, rồi trả lời ở đây.',
    waiting_hello: 'Đang chờ tin nhắn đầu tiên…',
    hello_arrived: 'Có tin nhắn mới.',
    answer: 'Trả lời',
    open_registration:
      'Ai mở địa chỉ này cũng có thể đăng ký công ty của riêng họ. Để chỉ công ty bạn dùng, hãy bỏ REGISTRATION=open khỏi cài đặt của Parley.',
    profile: 'Giới thiệu bản thân',
    profile_text: 'Tên và ảnh của bạn được hiển thị cạnh tin nhắn.',
    team: 'Mời đồng nghiệp',
    team_text: 'Cùng nhau trả lời khách hàng.',
    integrations: 'Kết nối công cụ của bạn',
    integrations_text: 'Email, Slack và các kênh khác đưa hội thoại về đây.',
    billing: 'Chọn gói',
    billing_text: 'Giữ mọi thứ sau thời gian dùng thử.',
  },
}
