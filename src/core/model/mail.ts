/** A message to one person. */
export interface Mail {
  /** The same when the mail is sent again, so that the receiver can detect it. */
  readonly messageId?: string | undefined;
  readonly to: string;
  /** How the sender is named; its address is the mailer's. */
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: string;
}
