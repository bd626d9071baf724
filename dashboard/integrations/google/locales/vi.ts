import type { en } from './en.ts'

export const vi: typeof en = {
  google: {
    beta: 'beta',
    alpha: 'alpha',
    pending: 'Đang chờ Google xác minh.',
    failed: 'Không tải được kết nối',
    connect: 'Kết nối',
    change: 'Thay đổi kết nối',
    consent: 'Google xin phép bạn rồi đưa bạn trở lại đây.',
    email: 'Địa chỉ email',
    synced: 'Đồng bộ gần nhất',
    gmail: {
      text: 'Email gửi đến một địa chỉ Gmail trở thành cuộc trò chuyện của hộp thư này.',
      how: {
        in: 'Email mới trở thành cuộc trò chuyện trong vòng một phút. Thư trả lời được thêm vào đúng cuộc trò chuyện.',
        out: 'Câu trả lời được gửi từ hộp thư, trong cùng chuỗi thư. Thành viên kết nối Gmail riêng trong Hồ sơ của tôi sẽ gửi từ Gmail đó.',
        safe: 'Thư rác, thư nháp và thư quảng cáo bị bỏ qua; không có gì trong hộp thư bị xóa.',
      },
    },
    sheets: {
      text: 'Một dòng cho mỗi khách hàng mới có địa chỉ email.',
      how: {
        connect: 'Kết nối Google. Một bảng tính riêng được tạo khi bạn bật tính năng này.',
        switch: 'Từ đó, mỗi khách hàng mới có địa chỉ email được thêm một dòng, một lần duy nhất.',
        safe: 'Giá trị trông giống công thức được giữ dưới dạng văn bản.',
      },
      adds_customers: 'Thêm một dòng cho mỗi khách hàng mới',
      adds_customers_hint: 'Khách hàng đã có từ trước không được thêm.',
      spreadsheet: 'Bảng tính',
      open: 'Mở trong Google Sheets',
      create: 'Tạo bảng tính mới',
    },
    notes: {
      title: 'Yêu cầu của Google',
      redirect: 'URL chuyển hướng phải là https trên tên miền công khai, hoặc http://localhost.',
      internal: 'Với Google Workspace, hãy đặt ứng dụng là Internal: không cần xét duyệt.',
      testing:
        'Nếu không, ứng dụng ở chế độ Testing dùng được cho 100 người và phải kết nối lại sau mỗi bảy ngày; ứng dụng chưa xác minh sẽ hiện cảnh báo.',
    },
  },
}
