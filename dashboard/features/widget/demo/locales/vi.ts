import type { Translated } from '../../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  demo: {
    title: 'Thử khung chat',
    text: 'Chọn nội dung và màu sắc, rồi xem khách của bạn sẽ thấy gì.',
    default_title: 'Chào mừng đến với Parley!',
    default_subtitle: 'Hãy hỏi chúng tôi bất cứ điều gì qua khung chat',
    widget_title: 'Tiêu đề',
    widget_subtitle: 'Phụ đề',
    color: 'Màu chủ đạo',
    sign_up: 'Đăng ký miễn phí',
    mute: 'Đây là bản xem trước. Khi có tài khoản, bạn có thể viết trong đó.',
  },
}
