import type { Translated } from '../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  notifications: {
    title: 'Báo cho tôi về',
    all: 'Mọi tin nhắn của khách hàng',
    mine: 'Hội thoại giao cho tôi',
    unassigned: 'Hội thoại chưa giao',
    mentions: 'Những lần nhắc đến tôi',
    sound: 'Kèm âm thanh',
    try_sound: 'Nghe thử',
    desktop_allow: 'Hiện thông báo trên máy này',
    desktop_granted: 'Máy này cũng hiện thông báo bên ngoài trình duyệt.',
    desktop_denied:
      'Trình duyệt đang chặn thông báo của trang này. Hãy cho phép trong phần cài đặt trang, cạnh ô địa chỉ.',
    desktop_unsupported: 'Trình duyệt này không hiện được thông báo.',
    sound_locked: 'Âm thanh đang tắt',
    sound_locked_text: 'Trình duyệt giữ im lặng cho đến khi bạn bấm vào trang.',
    sound_unlock: 'Bật lên',
    many_other: '{{count}} tin nhắn mới',
    mentioned: '{{name}} đã nhắc đến bạn',
    wrote: '{{name}} đã viết cho bạn',
    assigned: 'Cuộc trò chuyện với {{name}} vừa được giao cho bạn',
    view: 'Xem',
    file: 'Đã gửi một tệp',
  },
  unsubscribe: {
    ask: 'Không nhận email nữa?',
    ask_text: 'Bạn sẽ không còn nhận email khi nhóm trả lời. Câu trả lời vẫn có trên trang web.',
    button: 'Hủy đăng ký',
    done: 'Bạn sẽ không nhận những email này nữa',
    done_text: 'Câu trả lời vẫn chờ bạn trên trang web.',
    failed: 'Liên kết này không dùng được',
    failed_text: 'Có thể nó đã bị cắt mất một phần. Hãy dùng lại liên kết ở cuối email.',
    not_now: 'Hiện chưa thực hiện được',
  },
}
