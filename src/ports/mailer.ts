import type { Mail } from '../core/model/mail.ts';

export interface Mailer {
  send(mail: Mail): Promise<void>;
  close(): void;
}
