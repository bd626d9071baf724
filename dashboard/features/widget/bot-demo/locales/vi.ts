import type { Translated } from '../../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  bot_demo: {
    title: 'Dạy bot',
    disabled:
      'Bot trên máy chủ tạm thời ngừng hoạt động. Những gì bạn dạy ở đây chỉ do trình duyệt này trả lời. Cũng có <demo>bản thử khung chat</demo>.',
    question: 'Câu hỏi',
    answer: 'Câu trả lời',
    add: 'Thêm dữ liệu huấn luyện',
    failed: 'Lỗi khi thêm dữ liệu huấn luyện!',
    failed_text: 'Cần nhập cả câu hỏi và câu trả lời.',
    pairs: 'Dữ liệu huấn luyện',
    empty: 'Bot chưa biết gì. Hãy thêm một câu hỏi và câu trả lời.',
    remove: 'Xóa: {{question}}',
    try: 'Hỏi bot',
    log: 'Cuộc trò chuyện với bot',
    greeting: 'Xin chào! Hãy hỏi tôi điều gì đó.',
    your_question: 'Câu hỏi của bạn',
    send: 'Hỏi',
    unknown: 'Tôi chưa biết điều đó. Bạn có thể dạy tôi.',
  },
}
