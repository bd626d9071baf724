import type { Translated } from '../../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  hours: {
    title: 'Giờ làm việc',
    text: 'Thời gian nhóm của bạn trả lời. Được dùng cho tin nhắn vắng mặt và lời nhắc của mọi hộp thư.',
    zone: 'Múi giờ',
    no_zone: 'Chưa chọn múi giờ',
    none: 'Chưa có giờ làm việc: khi đã đặt múi giờ, bạn được coi là vắng mặt cả tuần.',
    add: 'Thêm giờ',
    remove: 'Xóa giờ',
    overlap: 'Hai khung giờ trùng nhau vào {{day}}. Hãy sửa hoặc xóa một khung.',
    day: 'Ngày',
    from: 'Từ',
    until: 'Đến',
    days: {
      everyday: 'Hằng ngày',
      weekdays: 'Ngày thường',
      weekends: 'Cuối tuần',
      monday: 'Thứ hai',
      tuesday: 'Thứ ba',
      wednesday: 'Thứ tư',
      thursday: 'Thứ năm',
      friday: 'Thứ sáu',
      saturday: 'Thứ bảy',
      sunday: 'Chủ nhật',
    },
  },
}
