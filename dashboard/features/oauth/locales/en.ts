export const en = {
  oauth: {
    connecting: 'Connecting…',
    connected: 'Connected.',
    failed: 'Failed to authorize {{name}}',
    connect: 'Connect',
    reconnect: 'Reconnect',
    use_token: 'Connect with this key',
    app: 'Your app at {{vendor}}',
    app_text:
      '{{vendor}} asks for consent in the name of an app. Create one there, enter this redirect URL, and copy its credentials here.',
    app_of_server: 'The operator of this server has set one up. Enter your own only if you want to use it instead.',
    app_missing: 'Enter the app below first.',
    redirect_uri: 'Redirect URL',
    copied: 'Copied to clipboard!',
    client_id: 'Client ID',
    client_secret: 'Client secret',
    signing_secret: 'Signing secret',
    saved: 'The app is saved.',
    remove_app: 'Remove the app',
    remove_app_confirm: 'Remove the app? Connections that use it stop working when their access has to be renewed.',
    app_failed: 'The app could not be loaded',
  },
}
