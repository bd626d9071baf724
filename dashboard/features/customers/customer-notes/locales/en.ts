export const en = {
  notes: {
    title: 'Notes',
    text: 'What your team wrote about customers.',
    none: 'No notes',
    none_text: "You haven't written any customer notes yet!",
    failed: 'Error retrieving notes',
    label: 'Notes',
    placeholder: 'Write a note, Enter saves it',
    add: 'Add note',
    delete: 'Delete note',
    confirm: 'Delete this note?',
  },
}
