import type { Translated } from '../../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  account: {
    title: 'Tổng quan tài khoản',
    token: 'Mã tài khoản',
    token_text: 'Xác định tài khoản của bạn với khung chat và API.',
    copy_failed: 'Trình duyệt không cho phép sao chép. Hãy chọn văn bản và tự sao chép.',
    details: 'Công ty',
    details_text: 'Thông tin khách hàng nhìn thấy.',
    company_name: 'Tên công ty',
    logo: 'URL logo',
    choose_picture: 'Tải ảnh lên',
    remove_picture: 'Bỏ ảnh',
    no_picture: 'Tệp này không phải là ảnh.',
    logo_preview: 'Logo sẽ hiển thị như thế này.',
    hours: 'Giờ làm việc',
    hours_text: 'Ngoài giờ làm việc, khách hàng thấy tin nhắn vắng mặt và hệ thống không gửi lời nhắc.',
  },
  retention: {
    title: 'Thời gian lưu hội thoại',
    text: 'Sau đó hội thoại đã đóng và đã xóa bị xóa vĩnh viễn, không còn trong mục Đã xóa. Không thể hoàn tác. Nếu không bật, hội thoại được giữ mãi mãi. Bản sao trong các hệ thống đã kết nối, như bài đăng trong Slack, vẫn được giữ lại ở đó.',
    limited: 'Tự động xóa hội thoại đã đóng',
    days: 'Số ngày sau tin nhắn cuối cùng',
  },
  managing_customers: {
    title: 'Xuất và xóa khách hàng',
    text: 'Quản trị viên có thể xuất danh sách và xóa khách hàng. Thành viên có thể trả lời khách hàng và sửa thông tin của họ.',
    members: 'Cho phép thành viên làm cả hai việc',
    risk: 'Rủi ro: khi đó chỉ cần mật khẩu của một thành viên bị lộ là đủ để xuất hoặc xóa toàn bộ khách hàng.',
  },
  unsigned_ids: {
    title: 'Mã khách hàng chưa ký',
    text: 'Trang web của bạn có thể ký xác nhận danh tính khách truy cập (mục Danh tính có chữ ký của hộp thư). Khi chưa làm vậy, mã chưa ký không được khớp với khách hàng do nhóm bạn thêm hoặc nhập từ tệp.',
    trusted: 'Khớp mã chưa ký với khách hàng đã biết',
    risk: 'Rủi ro: ai đoán được mã của một khách hàng đều có thể đọc các cuộc trò chuyện của họ. Chỉ dùng khi chuyển đổi, cho đến khi trang web của bạn ký mã.',
  },
  closing: {
    title: 'Xóa tài khoản này',
    text: 'Mọi người bị đăng xuất ngay lập tức; toàn bộ hội thoại, khách hàng, tệp và cài đặt bị xóa. Không thể hoàn tác.',
    stays:
      'Những gì đã gửi sang các hệ thống được kết nối vẫn ở đó: email và tin nhắn SMS, bài đăng trong Slack và Mattermost, issue trên GitHub, liên hệ trong HubSpot và Intercom, các dòng trong Google Sheets. Hãy xóa chúng ở đó và gỡ những ứng dụng bạn đã kết nối.',
    open: 'Xóa tài khoản',
    type: 'Nhập {{name}} để xóa',
    wrong: 'Đây không phải là tên công ty.',
    run: 'Xóa tất cả',
  },
  reminders: {
    title: 'Lời nhắc hội thoại',
    text: 'Thêm ghi chú riêng vào hội thoại có khách đang chờ trả lời.',
    enabled: 'Nhắc nhóm',
    hours: 'Số giờ giữa hai lần nhắc',
    most: 'Số lời nhắc tối đa cho mỗi hội thoại',
  },
}
