import type { Translated } from '../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  account: {
    title: 'Tổng quan tài khoản',
    token: 'Mã tài khoản',
    token_text: 'Cho tiện ích chat và chương trình của bạn biết đây là tài khoản nào.',
    copy_failed: 'Trình duyệt không cho sao chép. Hãy chọn và sao chép bằng tay.',
    details: 'Công ty',
    details_text: 'Những gì khách hàng thấy về bạn.',
    company_name: 'Tên công ty',
    logo: 'Địa chỉ logo',
    choose_picture: 'Tải ảnh lên',
    remove_picture: 'Bỏ ảnh',
    no_picture: 'Tệp này không phải là ảnh.',
    logo_preview: 'Logo sẽ trông như thế này, hình tròn.',
    hours: 'Giờ làm việc',
    hours_text: 'Ngoài giờ, khách hàng thấy tin nhắn vắng mặt và không ai bị nhắc.',
  },
  retention: {
    title: 'Giữ hội thoại bao lâu',
    text: 'Hội thoại đã xóa cũng bị hủy như hội thoại đã đóng. Những gì đã hủy không thể khôi phục. Bản sao trong hệ thống được kết nối, như bài đăng trong Slack, vẫn ở đó.',
    limited: 'Hủy hội thoại đã đóng sau một thời gian',
    days: 'Số ngày sau tin nhắn cuối cùng',
  },
  managing_customers: {
    title: 'Xuất và xóa khách hàng',
    text: 'Quản trị viên xuất danh sách khách hàng và xóa khách hàng. Thành viên trả lời và sửa thông tin của họ.',
    members: 'Thành viên cũng được làm cả hai',
    risk: 'Rủi ro: khi đó chỉ cần mật khẩu của một thành viên bị lộ là đủ để xuất hoặc xóa toàn bộ khách hàng.',
  },
  unsigned_ids: {
    title: 'Mã khách hàng chưa ký',
    text: 'Trang web của bạn có thể ký xác nhận khách truy cập là ai (Hộp thư, Khung chat, Danh tính có chữ ký). Khi chưa ký, mã chưa ký không khớp với khách hàng do nhóm bạn hoặc tệp nhập thêm vào.',
    trusted: 'Mã chưa ký tìm được khách hàng đã biết',
    risk: 'Rủi ro: ai đoán được mã của một khách hàng sẽ được coi là khách hàng đó và đọc được các cuộc trò chuyện của họ. Chỉ bật trong lúc chuyển đổi khi bạn chưa thể ký.',
  },
  closing: {
    title: 'Xóa tài khoản này',
    text: 'Mọi người bị đăng xuất ngay, toàn bộ hội thoại, khách hàng, tệp và cài đặt bị hủy và không thể khôi phục.',
    stays:
      'Những gì đã gửi sang các hệ thống được kết nối vẫn ở đó: email và tin nhắn SMS, bài đăng trong Slack và Mattermost, issue trên GitHub, liên hệ trong HubSpot và Intercom, các dòng trong Google Sheets. Hãy xóa chúng ở đó và gỡ những ứng dụng bạn đã kết nối.',
    open: 'Xóa tài khoản',
    type: 'Gõ {{name}} để xóa',
    wrong: 'Đây không phải tên công ty.',
    run: 'Xóa tất cả',
  },
  reminders: {
    title: 'Nhắc hội thoại',
    text: 'Ghi chú riêng trong hội thoại có khách đang chờ trả lời.',
    enabled: 'Nhắc nhóm',
    hours: 'Số giờ giữa hai lần nhắc',
    most: 'Số lần nhắc nhiều nhất',
  },
}
