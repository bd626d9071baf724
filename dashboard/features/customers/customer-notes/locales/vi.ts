import type { Translated } from '../../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  notes: {
    title: 'Ghi chú',
    text: 'Những gì nhóm của bạn đã viết về khách hàng.',
    none: 'Chưa có ghi chú',
    none_text: 'Bạn chưa viết ghi chú nào về khách hàng!',
    failed: 'Không tải được ghi chú',
    label: 'Ghi chú',
    placeholder: 'Viết ghi chú, nhấn Enter để lưu',
    add: 'Thêm ghi chú',
    delete: 'Xóa ghi chú',
    confirm: 'Xóa ghi chú này?',
  },
}
