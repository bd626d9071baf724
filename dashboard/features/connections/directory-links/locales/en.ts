export const en = {
  directory_links: {
    label: 'Other systems',
    view: 'View in {{name}}',
    add: 'Add to {{name}}',
    added: 'Successfully added to {{name}}.',
    failed: '{{name}} did not answer.',
  },
}
