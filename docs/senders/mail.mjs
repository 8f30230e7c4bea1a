// node mail.mjs <list_unsubscribe> <list_unsubscribe_post>
import nodemailer from 'nodemailer';

const transport = nodemailer.createTransport({ streamTransport: true, buffer: true });
const [, , unsubscribe, post] = process.argv;
const sent = await transport.sendMail({
  from: 'Harbour Books <news@example.org>',
  to: 'anna@example.org',
  subject: 'News of the harbour',
  text: 'Hello Anna',
  headers: { 'List-Unsubscribe': unsubscribe, 'List-Unsubscribe-Post': post },
});

process.stdout.write(sent.message);
