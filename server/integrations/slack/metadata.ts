/**
 * Metadata type of our first message in a thread: its payload names the conversation, the message and the connection.
 */
export const CONVERSATION_METADATA = 'parley_conversation'
/** Metadata type of our other messages: the payload names the message. */
export const MESSAGE_METADATA = 'parley_message'
