/** A message to one person. */
export interface Mail {
  /** The id is the same when the mail is sent again, so that the receiver can detect the repetition. */
  readonly messageId?: string | undefined;
  readonly to: string;
  /** Display name of the sender. The mailer adds the address. */
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: string;
}
