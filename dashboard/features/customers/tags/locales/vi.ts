import type { Translated } from '../../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  tags: {
    title: 'Thẻ',
    text: 'Các thẻ để sắp xếp khách hàng và cuộc trò chuyện.',
    search: 'Tìm thẻ...',
    new: 'Thẻ mới',
    edit_one: 'Sửa thẻ',
    name: 'Tên',
    description: 'Mô tả',
    color: 'Màu',
    colors: { magenta: 'Hồng sẫm', red: 'Đỏ', volcano: 'Đỏ cam', purple: 'Tím', blue: 'Xanh dương' },
    view: 'Xem',
    actions: 'Thao tác',
    customers: 'Khách hàng',
    conversations: 'Cuộc trò chuyện',
    confirm: 'Xóa thẻ {{name}} và gỡ thẻ khỏi mọi nơi?',
    no_tags: 'Chưa có thẻ',
    no_tags_text: 'Hãy tạo thẻ đầu tiên, rồi gắn vào khách hàng và cuộc trò chuyện.',
    nothing: 'Không tìm thấy thẻ',
    list_failed: 'Không tải được danh sách thẻ',
    failed: 'Không tải được thẻ',
    back: 'Về danh sách thẻ',
    label: 'Thẻ',
    none: 'Chưa có thẻ',
    edit: 'Sửa thẻ',
    choose: 'Chọn hoặc tạo thẻ',
    updating: 'Đang cập nhật',
    done: 'Xong',
  },
}
