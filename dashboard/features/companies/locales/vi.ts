import type { Translated } from '../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  companies: {
    title: 'Công ty',
    beta: 'Thử nghiệm',
    text: 'Các công ty mà khách hàng của bạn làm việc.',
    search: 'Tìm công ty...',
    nothing: 'Không tìm thấy công ty',
    new: 'Công ty mới',
    edit: 'Sửa công ty',
    name: 'Tên',
    description: 'Mô tả',
    website: 'Trang web',
    slack: 'Kênh Slack',
    no_slack: 'Chưa có kênh',
    slack_text: 'Có thể chọn sau khi kết nối Slack.',
    view: 'Xem',
    none: 'Chưa có công ty',
    none_text: 'Gom các khách hàng của cùng một công ty lại với nhau.',
    list_failed: 'Không tải được danh sách công ty',
    failed: 'Không tải được công ty',
    back: 'Về danh sách công ty',
    back_to_one: 'Về công ty',
    people: 'Mọi người',
    details: 'Chi tiết',
    delete: 'Xóa công ty',
    confirm: 'Xóa công ty này?',
    deleted: 'Đã xóa {{name}}.',
    create: 'Tạo công ty',
  },
}
