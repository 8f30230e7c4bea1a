import type { Text } from '../../core/model/center/center.ts';

export type ChannelIcon = 'email' | 'text' | 'phone' | 'post' | 'push' | 'chat';

/**
 * Patterns for the names of channels in the languages of the catalogues. E-mail comes first, because its
 * names contain those of the post.
 */
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

/**
 * Longest name of a channel, in characters: a longer name is a sentence, which may mention a channel without
 * being one.
 */
const longestName = 40;

/** A cache by text: a text of a schema never changes, and is shown many times. */
const known = new WeakMap<Text, ChannelIcon | undefined>();

/** The channel that a name means in any language; undefined if it means none, or several. */
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
