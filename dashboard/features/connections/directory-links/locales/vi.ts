import type { en } from './en.ts'

export const vi: typeof en = {
  directory_links: {
    label: 'Hệ thống khác',
    view: 'Xem trong {{name}}',
    add: 'Thêm vào {{name}}',
    added: 'Đã thêm vào {{name}}.',
    failed: '{{name}} không phản hồi.',
  },
}
