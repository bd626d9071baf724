import type { Translated } from '../../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  notifications: {
    title: 'Thông báo cho tôi về',
    all: 'Mọi tin nhắn của khách hàng',
    mine: 'Hội thoại giao cho tôi',
    unassigned: 'Hội thoại chưa giao',
    mentions: 'Các lần nhắc đến tôi',
    sound: 'Phát âm thanh',
    try_sound: 'Nghe thử',
    desktop_allow: 'Hiện thông báo trên máy này',
    desktop_granted: 'Máy này cũng hiện thông báo bên ngoài trình duyệt.',
    desktop_denied:
      'Trình duyệt đang chặn thông báo của trang này. Hãy cho phép trong phần cài đặt trang, cạnh ô địa chỉ.',
    desktop_unsupported: 'Trình duyệt này không hiện được thông báo.',
    sound_locked: 'Âm thanh đang tắt',
    sound_locked_text: 'Trình duyệt này tắt tiếng trang cho đến khi bạn bấm vào trang.',
    sound_unlock: 'Bật lên',
    many_other: '{{count}} tin nhắn mới',
    mentioned: '{{name}} đã nhắc đến bạn',
    wrote: '{{name}} đã viết cho bạn',
    assigned: 'Cuộc trò chuyện với {{name}} vừa được giao cho bạn',
    view: 'Xem',
    file: 'Đã gửi một tệp',
  },
  unsubscribe: {
    confirm: 'Hủy nhận các email này?',
    confirm_text: 'Bạn sẽ không còn nhận email khi nhóm trả lời. Bạn vẫn đọc được câu trả lời trên trang web.',
    button: 'Hủy đăng ký',
    done: 'Bạn đã hủy đăng ký',
    done_text: 'Bạn vẫn đọc được câu trả lời trên trang web.',
    failed: 'Liên kết này không hoạt động',
    failed_text: 'Liên kết có thể chưa đầy đủ. Hãy dùng lại liên kết ở cuối email.',
    not_now: 'Đã xảy ra lỗi',
  },
}
