/** A wrong argument of a command: it shows its usage and exits with 2. */
export class WrongArgument extends Error {}
