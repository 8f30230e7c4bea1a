/** A message to one person. */
export interface Mail {
  /** The same where it is sent again, so that its receiver can tell. */
  readonly messageId?: string | undefined;
  readonly to: string;
  /** How the sender is named; its address is the mailer's. */
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: string;
}
