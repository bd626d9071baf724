export const vi = {
  mattermost: {
    text: 'Cuộc trò chuyện của hộp thư này được đăng vào một kênh trên máy chủ Mattermost và được trả lời từ đó.',
    how: {
      out: 'Mỗi cuộc trò chuyện thành một luồng trong kênh bạn chọn.',
      in: 'Điều nhóm viết trong luồng được gửi cho khách hàng. Bắt đầu bằng ;; hoặc \\\\ để viết ghi chú riêng.',
      safe: 'Câu trả lời đến qua kết nối trực tiếp. Máy chủ của bạn không cần địa chỉ công khai.',
    },
    failed: 'Không thể tải Mattermost',
    connect: 'Kết nối Mattermost',
    change: 'Thay đổi kết nối',
    connect_text: 'Trong Mattermost: Integrations → Bot Accounts → Add Bot Account, rồi thêm bot vào nhóm và vào kênh.',
    connected: 'Đã kết nối Mattermost.',
    url: 'Địa chỉ Mattermost',
    token: 'Mã bot',
    webhook: 'Mã webhook',
    webhook_hint: 'Chỉ dùng cho webhook đi kèm kết nối trực tiếp. Nếu không, hãy để trống.',
    channel: 'Kênh',
    choose: 'Chọn một kênh',
    error: 'Lỗi Mattermost: {{message}}',
  },
}
