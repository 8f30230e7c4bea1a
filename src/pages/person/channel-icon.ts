import type { Text } from '../../core/model/center/center.ts';

export type ChannelIcon = 'email' | 'text' | 'phone' | 'post' | 'push' | 'chat';

/** In the languages of the catalogues. E-mail comes first: its names hold those of the post. */
const words: readonly (readonly [ChannelIcon, RegExp])[] = [
  [
    'email',
    /\be-?mails?\b|\be-?post\b|courriel|correo electr|posta elettronica|メール|邮件|البريد الإلكتروني|אימייל|דוא[״"]ל/iu,
  ],
  ['text', /\bsms\b|\btext messages?\b|\btextos?\b|ショートメッセージ|短信|رسائل? نصية|הודעות? טקסט|מסרון/iu],
  ['push', /\bpush\b|プッシュ|推送|إشعار|התראות/iu],
  ['chat', /\bwhatsapp\b|\btelegram\b|\bmessenger\b|微信|واتساب|וואטסאפ/iu],
  ['phone', /\b(tele)?phone\b|\bphone calls?\b|\btelefo[on]|téléphone|teléfono|電話|电话|هاتف|טלפון/iu],
  [
    'post',
    /^(by |per |par |por |via )?(post|posta|poczta|correio|courrier|correo postal)$|\bpostal\b|郵便|邮寄|^דואר$/iu,
  ],
];

/** A longer name is a sentence, which may speak of a channel without being one. Characters. */
const longestName = 40;

/** A text of a schema never changes, and is shown many times. */
const known = new WeakMap<Text, ChannelIcon | undefined>();

/** The channel that a name speaks of in any language; undefined where it speaks of none, or of several. */
export function channelIcon(name: Text): ChannelIcon | undefined {
  return known.getOrInsertComputed(name, iconIn);
}

function iconIn({ entries, plain }: Text): ChannelIcon | undefined {
  const names = [...entries.map(({ text }) => text), plain ?? ''].filter(
    (name) => name.length <= longestName,
  );
  const found = new Set(
    names.flatMap((name) => words.find(([, pattern]) => pattern.test(name.trim()))?.[0] ?? []),
  );
  const [icon, other] = found;
  return other === undefined ? icon : undefined;
}
