import type { Translated } from '../../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  api_keys: {
    title: 'Khóa API cá nhân',
    text: 'Chương trình dùng khóa này sẽ hoạt động dưới danh nghĩa của bạn, với vai trò của bạn tại thời điểm gọi.',
    docs: 'Tài liệu API',
    generate: 'Tạo khóa API mới',
    label: 'Nhãn',
    label_hint: 'Khóa dùng để làm gì, ví dụ "Xuất dữ liệu hằng đêm".',
    key: 'Khóa API',
    actions: 'Thao tác',
    reveal: 'Hiện',
    hide: 'Ẩn',
    revealed: 'Đã sao chép vào bộ nhớ tạm! Hãy giữ bí mật các khóa API của bạn.',
    delete: 'Xóa khóa API',
    confirm: 'Xóa khóa API {{label}}? Các chương trình dùng khóa này sẽ ngừng hoạt động.',
    scope: 'Quyền',
    scopes: { everything: 'Mọi quyền của bạn', read: 'Chỉ đọc' },
    read_only: 'Chỉ đọc',
    expires: 'Hết hạn',
    expiry: { never: 'Không bao giờ', month: 'Sau 30 ngày', quarter: 'Sau 90 ngày', year: 'Sau một năm' },
    created: 'Tạo ngày {{day}}',
    last_used: 'Dùng lần cuối {{ago}}',
    never_used: 'Chưa dùng',
    expires_on: 'Hết hạn ngày {{day}}',
    expired: 'Đã hết hạn',
    none: 'Chưa có khóa API nào',
    none_text: 'Tạo một khóa để gọi API từ chương trình của bạn.',
    failed: 'Không tải được các khóa API',
  },
}
