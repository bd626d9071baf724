import type { Translated } from '../../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  deleted_conversations: {
    title: 'Cuộc trò chuyện đã xóa',
    text: 'Chúng không còn trong danh sách nào và không tìm thấy khi tìm kiếm. Bạn có thể khôi phục hoặc xóa vĩnh viễn. Khi khách hàng nhắn lại, cuộc trò chuyện cũng được khôi phục.',
    search: 'Tìm khách hàng và tiêu đề...',
    failed: 'Không tải được các cuộc trò chuyện đã xóa',
    none: 'Không có cuộc trò chuyện nào bị xóa',
    none_text: 'Những gì bạn hoặc nhóm của bạn xóa được giữ ở đây.',
    nothing: 'Không có cuộc trò chuyện đã xóa nào phù hợp',
    customer: 'Khách hàng',
    conversation: 'Cuộc trò chuyện',
    deleted: 'Đã xóa',
    actions: 'Thao tác',
    by: 'bởi {{name}}',
    restore: 'Khôi phục',
    restored: 'Đã khôi phục cuộc trò chuyện',
    open: 'Mở',
    destroy: 'Xóa vĩnh viễn',
    destroy_confirm: 'Xóa vĩnh viễn cuộc trò chuyện này cùng tin nhắn và tệp? Không thể hoàn tác.',
    destroyed: 'Đã xóa vĩnh viễn cuộc trò chuyện',
  },
}
