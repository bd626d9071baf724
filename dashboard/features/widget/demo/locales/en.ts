export const en = {
  demo: {
    title: 'Try the chat widget',
    text: 'Choose words and a color, and see what your visitors would see.',
    default_title: 'Welcome to Parley!',
    default_subtitle: 'Ask us anything using the chat window',
    widget_title: 'Title',
    widget_subtitle: 'Subtitle',
    color: 'Primary color',
    sign_up: 'Sign up for free',
    mute: 'This is a preview. With an account, you can write in it.',
  },
}
