/** How our first message of a thread is told apart: its payload names the conversation, the message and the connection. */
export const CONVERSATION_METADATA = 'parley_conversation'
/** How our other messages are told apart: the payload names the message. */
export const MESSAGE_METADATA = 'parley_message'
