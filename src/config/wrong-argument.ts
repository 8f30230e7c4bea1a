/** What was typed behind a command is wrong: its usage is shown, and it ends with 2. */
export class WrongArgument extends Error {}
